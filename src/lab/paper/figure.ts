import type { Vector } from '../../math/vector.ts';
import type { Plan } from '../../plan/plan.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { SyntheticSample } from '../synthetic/syntheticSample.ts';
import type { Claim } from './verdict.ts';
import type { ArenaMaker } from './withArenas.ts';

/**
 * A figure of the paper as a record: the data, the plans to run on them under one or more readings of the text, and
 * what is drawn.
 *
 *   figure -> studies (one, or one per covariance) -> readings ('primary' first) -> series -> a plan for n rows
 */
export interface Figure {
  readonly name: string;
  readonly title: string;
  readonly x: string;
  readonly y: string;
  /** Whether x is the step t of one run, rather than its n. */
  readonly overSteps?: boolean;
  readonly studies: readonly FigureStudy[];
  readonly claim: Claim;
  /** What else the caption claims, of the primary reading. */
  readonly also?: readonly Claim[];
}

/** One set of data of a figure, and the runs on it. */
export interface FigureStudy {
  readonly sample: (rows: number, seed: number, place?: { readonly arena?: ArenaMaker }) => SyntheticSample;
  /** The n of the runs, ascending. */
  readonly sizes: readonly number[];
  /** The y of a point, given the rows it was estimated from. */
  readonly measure: (data: SampleBatch, truth: Vector) => (theta: Vector) => number;
  readonly readings: readonly Reading[];
}

/** One way to read what the paper says about a figure, as plans. */
export interface Reading {
  readonly name: string;
  /** What it is, or how it departs from the primary reading. */
  readonly about: string;
  /** Other n than the study's: fewer, where they suffice to see the difference, or those at which it can be run. */
  readonly sizes?: readonly number[];
  /** The x that count for this reading, where they differ from the claim's. */
  readonly range?: Claim['range'];
  /** Plans by series; a series that cannot run on this few rows is absent. */
  readonly plans: (rows: number) => Readonly<Record<string, Plan>>;
}

/** One y of one seed. */
export interface Point {
  readonly reading: string;
  readonly series: string;
  readonly x: number;
  readonly value: number;
}
