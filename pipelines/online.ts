// An estimate that is kept current while rows arrive, which they would do without end. After a while the first
// coefficient moves by 0.3; the alarm finds it, and counting begins anew.
import { map, takeWhile } from 'rxjs';
import {
  type InformationState,
  informationSums,
  onlineChunks,
  planOnline,
  reportOnline,
} from '../src/fit/online/index.ts';
import { descend, type Samples, split } from '../src/index.ts';
import { synthetic } from '../src/lab/paper/index.ts';

const arrivals: Samples = {
  ...{ rows: Infinity, features: 4, weighted: false },
  async *batches() {
    for (let minute = 0; ; minute++) {
      const { columns, target } = synthetic.plot5(2500, `minute ${minute}`, { features: 4 }).batch;
      yield { rows: 2500, columns, target: target.map((y, i) => (minute < 120 ? y : y + 0.3 * columns[0]![i]!)) };
    }
  },
};

const plan = planOnline({ features: 4, latency: { seconds: 60, rowsPerSecond: 2500 / 60 } });
for (const reason of plan.figures.reasons) console.log(reason);

const show = (ends: readonly number[] | null) => ends?.map(end => end.toFixed(3)).join(' .. ') ?? 'none yet';

split(arrivals, { chunks: onlineChunks(plan) })
  .pipe(
    descend(plan, informationSums(plan)),
    map(({ step, state }) => ({ step, ...reportOnline(state as InformationState, plan) })),
    takeWhile(({ step, since }) => since === 0 || step < since + 20, true),
  )
  .subscribe(({ step, theta, now, anyTime, alarm, rows }) => {
    if (alarm?.step === step) console.log(`chunk ${step}: coefficient ${alarm.coefficient} has moved`);
    else if (step % 20 === 0 || rows < 5000)
      console.log(`chunk ${step}: ${theta[0]!.toFixed(3)}, now ${show(now[0]!)}, at any time ${show(anyTime[0]!)}`);
  });
