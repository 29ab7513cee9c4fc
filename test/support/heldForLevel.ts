import { fitRows } from '../../src/fit/fitRows.ts';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';

/** Of so many fits, how many intervals hold the effect of a level that `ones` of `few` rows have. */
export async function heldForLevel(ones: number, few: number, fits: number): Promise<number> {
  let held = 0;
  for (let k = 0; k < fits; k++) {
    const drawn = seeded(k, `rare ${ones} ${few}`);
    const columns = [
      Float64Array.from({ length: few }, () => normal(drawn)),
      Float64Array.from({ length: few }, (_, i) => (i < ones ? 1 : 0)),
    ];
    const target = columns[0]!.map((x, i) => x + columns[1]![i]! + normal(drawn));
    const { uncertainty } = await fitRows(samplesOf(sampleBatch(columns, target)));
    if (uncertainty!.lower[1]! <= 1 && 1 <= uncertainty!.upper[1]!) held++;
  }
  return held;
}
