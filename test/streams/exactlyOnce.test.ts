/** What streams of real brokers promise: every row once, in any way that rows may come, whoever is killed meanwhile. */
import { survivesKills } from './support/killedBrokers.ts';

survivesKills(Number(process.env.SLUICE_KILLS ?? 20));
