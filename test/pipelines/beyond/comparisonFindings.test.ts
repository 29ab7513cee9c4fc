import { expect } from 'chai';
import { findings, inShort } from '../../../pipelines/beyond/comparisonFindings.ts';

const row = (series: string, x: number, errors: Readonly<Record<string, number>>) => ({ series, x, errors });

const noised = [
  row('plot1, ACCFW eps=0.5', 1000, {
    nothing: 1,
    paper: 2,
    averaged: 1.9,
    'least noise': 0.03,
    default: 0.01,
  }),
  row('plot1, FW eps=0.5', 1000, {
    nothing: 1,
    paper: 0.8,
    averaged: 0.9,
    'least noise': 0.004,
    default: 0.01,
  }),
  row('plot1, FW eps=0.5', 5000, {
    nothing: 1,
    paper: 0.5,
    averaged: 0.5,
    'least noise': 0.004,
    default: 0.002,
  }),
];
const plain = [
  row('plot5, GD', 2000, {
    nothing: 10,
    paper: 1,
    geometric: 0.5,
    preconditioned: 1.1,
    averaged: 0.97,
    default: 0.25,
  }),
];

describe('findings', () => {
  it('say how much of the paper’s error each change leaves, and where it is above that of no data', () => {
    expect(findings(plain)).to.equal(
      'What is left of the paper’s error: with geometric chunks 50 %, with preconditioning 110 %, with averaging 97 %, with the default 25 %.',
    );
    expect(findings(noised)).to.include(
      'with averaging 95 % to 113 %, with the least noise 0.5 % to 1.5 %, with the default 0.4 % to 1.3 %. The paper’s plans are worse than theta = 0 in 1 of 3 rows.',
    );
  });

  it('hold the better of two plans that differ in their method against the default, for each n', () => {
    expect(findings(noised)).to.match(
      /Beside the default’s error, that of the better of the paper’s two plans with the least noise is 0\.4 times as large at n = 1,000 and 2 times as large at n = 5,000\.$/,
    );
  });

  it('say nothing of what was not run', () => {
    expect(findings([row('plot5, GD', 2000, { paper: 1 })])).to.equal('');
  });
});

describe('inShort', () => {
  it('counts over all figures', () => {
    expect(inShort([...noised, ...plain])).to.equal(
      'In short. The default is better than the paper’s plan in 4 of 4 rows: 80 to 250 times where runs are private, 4 times where they are not. With the least noise the better of the paper’s two plans is ahead of it in 1 of 2 private settings. Of the single changes, these take a twentieth of the paper’s error away, or more: geometric chunks in 1 of 1, preconditioning in 0 of 1, averaging in 0 of 4, the least noise in 3 of 3 rows.',
    );
  });
});
