import { expect } from 'chai';
import { NOTHING_YET } from '../../../src/sink/live/liveState.ts';
import { metricsText } from '../../../src/sink/live/metrics.ts';
import { liveEstimate, liveFacts } from '../../support/liveEstimates.ts';

const others = { facts: liveFacts, rowsPerSecond: 12, alarms: 0, shownAt: 1_700_000_000, isHealthy: true };

describe('metrics', () => {
  it('are in the format of Prometheus, every family once and described', () => {
    const text = metricsText({
      ...others,
      estimate: liveEstimate(4),
      status: { ...NOTHING_YET, deadLetters: 12, lag: 3 },
    });
    const families = [...text.matchAll(/^# TYPE (\w+) (?:gauge|counter)$/gm)].map(([, name]) => name);
    expect(new Set(families).size).to.equal(families.length).and.above(12);
    for (const line of text.trimEnd().split('\n')) {
      expect(line).to.match(
        /^(# (HELP|TYPE) sluice_\w+ .+|sluice_\w+(\{\w+="(\\[\\"n]|[^"\\\n])*"(,\w+="(\\[\\"n]|[^"\\\n])*")*\})? (NaN|[+-]Inf|-?[\d.]+(e[+-]?\d+)?))$/,
      );
    }
    const { estimate, anyTime } = liveEstimate(4).coefficients[1]!;
    expect(text).to.include(`sluice_coefficient{name="hour"} ${estimate}\n`);
    expect(text).to.include(
      `sluice_coefficient_interval{name="hour",interval="any-time",end="upper"} ${anyTime![1]}\n`,
    );
    expect(text).to.include('sluice_dead_letters_total 12\n').and.include('sluice_lag_items 3\n');
  });

  it('escape names, whatever they are', () => {
    const text = metricsText({ ...others, estimate: liveEstimate(4, {}, ['a"} 1\nb\\']), status: NOTHING_YET });
    expect(text).to.include('sluice_coefficient{name="a\\"} 1\\nb\\\\"} ');
    expect(text).not.to.match(/^b/m);
  });

  it('leave out what a run does not have', () => {
    const text = metricsText({ ...others, shownAt: null, estimate: null, status: NOTHING_YET });
    expect(text).to.include('sluice_rows_read_total 0\n');
    expect(text).not.to.match(/coefficient|lag|null|undefined|timestamp/);
    const infinite = liveEstimate(1, { progressiveError: { chunk: Infinity, all: Number.NaN } });
    expect(metricsText({ ...others, estimate: infinite, status: NOTHING_YET }))
      .to.include('sluice_progressive_error{of="chunk"} +Inf\n')
      .and.include('sluice_progressive_error{of="all"} NaN\n');
  });
});
