/** Exactly once, with as many kills as find rare moments. */
import { survivesKills } from '../streams/support/killedBrokers.ts';

survivesKills(300);
