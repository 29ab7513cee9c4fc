import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { BlockRequest, EngineOptions } from '../src/engine/index.ts';
import type { ExplainOptions, HeldOut, ModelDesign, PilotOptions, RowOrder, Uncertainty } from '../src/fit/index.ts';
import type {
  AnyStage,
  Flowing,
  HuberGradientOptions,
  ScatteredSamples,
  StageKind,
  StepSummary,
} from '../src/flow/index.ts';
import type { GivenLoss, LossKernel, Method } from '../src/method/index.ts';
import type { Calibration, PrivacyTarget, ScalingOptions } from '../src/plan/index.ts';
import type { Budget, Guarantee, LedgerOptions, RunPlan, RunRecord } from '../src/privacy/index.ts';
import type { PredictionSink, SinkOptions } from '../src/sink/index.ts';
import { version } from '../src/version.ts';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const read = (path: string): string => readFileSync(join(project, path), 'utf8');
const textsBelow = (folder: string): string[] =>
  readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => read(join(folder, name)));

describe('the package', () => {
  it('brings what it runs on, and nothing that only a checkout uses', () => {
    const { dependencies, peerDependencies, files } = JSON.parse(read('package.json'));
    // Pipelines run on the sources, which stay in the checkout.
    expect(files).to.deep.equal(['dist']);
    const sources = textsBelow('src');
    const unused = Object.keys({ ...dependencies, ...peerDependencies }).filter(
      name => !sources.some(text => [`'${name}'`, `'${name}/`, `\`${name}/`].some(used => text.includes(used))),
    );
    expect(unused).to.deep.equal([]);
  });

  it('is locked as it is declared, to no registry in particular', () => {
    const declared = JSON.parse(read('package.json'));
    const lock = read('package-lock.json');
    const [root] = Object.values<Record<string, unknown>>(JSON.parse(lock).packages);
    for (const kind of ['dependencies', 'devDependencies', 'peerDependencies', 'peerDependenciesMeta'])
      expect(root![kind], kind).to.deep.equal(declared[kind]);
    expect(lock).not.to.include('"resolved"');
  });

  it('knows its version without reading its manifest', () => {
    expect(version).to.equal(JSON.parse(read('package.json')).version);
  });

  it('tries the optional packages that it names in the versions that it takes', () => {
    const { peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(read('package.json'));
    for (const [name, range] of Object.entries<string>(peerDependencies)) {
      expect(peerDependenciesMeta[name], name).to.deep.equal({ optional: true });
      expect(range, name).to.include(devDependencies[name]);
    }
  });

  it('names the types of what its functions take and give', () => {
    // The compiler checks the import of each.
    type Named = [EngineOptions, GivenLoss, HeldOut, HuberGradientOptions, LedgerOptions, PilotOptions];
    type Others = [PredictionSink, RunPlan, ScalingOptions, SinkOptions, StepSummary];
    type Stages = [AnyStage, BlockRequest, Flowing, LossKernel, Method, RowOrder, ScatteredSamples, StageKind];
    type Accounts = [Budget, Calibration, Guarantee, PrivacyTarget, RunRecord];
    type Models = [ExplainOptions, ModelDesign, Uncertainty];
    const both: (Named | Others | Stages | Accounts | Models)[] = [];
    expect(both).to.deep.equal([]);
  });
});

describe('tests', () => {
  it('never skip themselves, for a pending test is a failure', () => {
    expect(textsBelow('test').filter(text => /\bthis\.skip\(/.test(text))).to.have.lengthOf(0);
  });
});
