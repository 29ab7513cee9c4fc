/**
 * The measurements, one cell for every method in every setting, stored in accuracy.json so that a run continues where
 * the last one ended.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Setting } from './settings.ts';

export interface Cell {
  readonly scenario: string;
  readonly rows: number;
  readonly features: number;
  readonly epsilon: number | null;
  readonly method: string;
  /** The digest of the sources it was measured with; null for peers. */
  readonly code: string | null;
  /** By seed: ||slopes - true slopes||, or for classes the excess risk; null where the method gave up. */
  readonly errors: readonly (number | null)[];
  /** By seed: |intercept - true intercept|. */
  readonly intercepts: readonly (number | null)[];
  readonly seconds: readonly (number | null)[];
  /** The last error message of a method that gave up. */
  readonly failed?: string;
}

/** From a Parquet file to coefficients, in a separate process. */
export interface Timing {
  readonly scenario: string;
  readonly rows: number;
  readonly features: number;
  readonly method: string;
  readonly code: string | null;
  readonly seconds: readonly number[];
  readonly peakMegabytes: number;
}

/** The share of nominal 95 % intervals that covered the true value. */
export interface Coverage {
  readonly scenario: string;
  readonly rows: number;
  readonly features: number;
  readonly epsilon?: number;
  readonly code: string;
  readonly replications: number;
  /** Null where fits gave no intervals. */
  readonly covered: { readonly slopes: number; readonly intercept: number } | null;
}

export interface Accuracy {
  readonly measured: string;
  readonly machine: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly cells: readonly Cell[];
  readonly timings: readonly Timing[];
  readonly coverage: readonly Coverage[];
}

const path = new URL('../accuracy.json', import.meta.url);
const empty: Accuracy = { measured: '', machine: '', versions: {}, cells: [], timings: [], coverage: [] };

export const loadAccuracy = (): Accuracy => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : empty);

/** A line for each cell, so that two runs can be compared line by line. */
export function saveAccuracy({ cells, timings, coverage, ...rest }: Accuracy): void {
  const lines = (items: readonly object[]): string =>
    items.length === 0 ? '[]' : `[\n${items.map(item => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`;
  const head = JSON.stringify(rest, null, 2).slice(0, -2);
  writeFileSync(
    path,
    `${head},\n  "cells": ${lines(cells)},\n  "timings": ${lines(timings)},\n  "coverage": ${lines(coverage)}\n}\n`,
  );
}

type Place = Pick<Cell, 'rows' | 'features'> & {
  readonly scenario: string;
  readonly epsilon?: number | null;
};

const samePlace = (a: Place, b: Place): boolean =>
  a.scenario === b.scenario &&
  a.rows === b.rows &&
  a.features === b.features &&
  (a.epsilon ?? null) === (b.epsilon ?? null);

export const placeOf = ({ scenario, rows, features, epsilon }: Setting): Required<Place> => ({
  scenario: scenario.name,
  rows,
  features,
  epsilon,
});

export const cellsAt = (cells: readonly Cell[], place: Place): readonly Cell[] =>
  cells.filter(cell => samePlace(cell, place));

/** The items with one more, which replaces an earlier measurement of the same thing. */
export function put<T extends Place & { readonly method?: string }>(items: readonly T[], item: T): T[] {
  const isOld = (old: T): boolean => samePlace(old, item) && old.method === item.method;
  const at = items.findIndex(isOld);
  return at < 0 ? [...items, item] : items.map((old, k) => (k === at ? item : old));
}
