import { expect } from 'chai';
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { ArgumentError } from '../../../src/errors.ts';
import { type LowerBoundData, lowerBoundData } from '../../../src/lab/synthetic/lowerBoundData.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { norm } from '../../../src/math/vector.ts';

const shapes = [
  { features: 16, codeRows: 3, orthogonalRows: 16 },
  { features: 16, codeRows: 20, orthogonalRows: 32 },
  { features: 64, codeRows: 10, orthogonalRows: 64 },
  { features: 64, codeRows: 100, orthogonalRows: 128 },
];
type Shape = (typeof shapes)[number] & { leftOut?: number; alpha?: number };
const dataOf = (shape: Shape): LowerBoundData => lowerBoundData({ ...shape, random: seeded(1, 'lower bound') });

for (const shape of shapes) {
  const { features, codeRows, orthogonalRows } = shape;

  describe(`lowerBoundData with p = ${features}, w = ${codeRows}, k = ${orthogonalRows}`, () => {
    const { batch, truth, tau, alpha, alphaLimit, radius, gradientFloor } = dataOf(shape);

    it('has w rows of signs with target 1, then k with target 0', () => {
      expect(batch.rows).to.equal(codeRows + orthogonalRows);
      expect(batch.columns).to.have.length(features);
      expect(batch.target.every((y, i) => y === (i < codeRows ? 1 : 0))).to.equal(true);
      for (const column of batch.columns) expect(column.every(x => Math.abs(x) === 1)).to.equal(true);
    });

    it("has Z'Z = k I exactly", () => {
      const z = new Matrix(batch.columns.map(column => [...column.subarray(codeRows)]));
      expect(z.mmul(z.transpose()).to2DArray()).to.deep.equal(
        Matrix.identity(features).mul(orthogonalRows).to2DArray(),
      );
    });

    it('has (1 - tau) p consensus columns whichever row is left out', () => {
      expect(tau).to.equal(orthogonalRows / codeRows / features);
      for (let leftOut = 0; leftOut <= codeRows; leftOut++) {
        const { columns } = dataOf({ ...shape, leftOut }).batch;
        const consensus = columns.filter(column => column.subarray(0, codeRows).every(x => x === column[0]));
        expect(consensus.length).to.be.at.least((1 - tau) * features);
      }
    });

    it('leaves one row of the same X out', () => {
      const first = rowTexts(batch);
      const last = rowTexts(dataOf({ ...shape, leftOut: codeRows }).batch);
      expect(first.slice(0, codeRows - 1)).to.deep.equal(last.slice(1, codeRows));
      expect(first.slice(codeRows)).to.deep.equal(last.slice(codeRows));
    });

    it("has the proof's theta' on the boundary of C, with the loss that the proof says", () => {
      expect(norm(truth)).to.be.closeTo(radius, 1e-15);
      const squares = Array.from(batch.target, (y, i) => (y - score(batch, truth, i)) ** 2);
      const loss = squares.reduce((sum, square) => sum + square, 0);
      expect(loss).to.be.at.most(((1 - alpha + 2 * tau * alpha) ** 2 + alpha ** 2 * tau) * codeRows + 1e-12);
    });

    it('has S1 = 1 unless another alpha is asked for', () => {
      expect(gradientFloor).to.equal(1);
      expect(alpha).to.equal(alphaLimit / 2);
    });

    for (const share of [0.1, 0.5, 0.9, 0.999]) {
      it(`meets the condition of Theorem UPRidge at alpha = ${share} of its limit`, () => {
        const data = dataOf({ ...shape, alpha: share * alphaLimit });
        const root = Math.sqrt(1 - tau);
        expect(data.gradientFloor).to.be.closeTo(
          (root - (1 + tau) * data.alpha) / (data.alpha * (1 + tau)),
          1e-12 * data.gradientFloor + 1e-15,
        );
        expect(data.gradientFloor).to.be.above(0);
        expect(data.radius).to.equal(data.alpha / Math.sqrt(features));
        expect(leastRelativeGradient(data)).to.be.at.least(data.gradientFloor);
      });
    }
  });
}

describe('lowerBoundData', () => {
  const [shape] = shapes;
  const refuses = (change: Partial<Shape>, message: string | RegExp) =>
    expect(() => dataOf({ ...shape!, ...change })).to.throw(ArgumentError, message as string);

  it('repeats itself for the same stream', () => {
    expect(dataOf(shape!)).to.deep.equal(dataOf(shape!));
  });

  it('refuses shapes without a Hadamard matrix, or without consensus', () => {
    refuses({ features: 12 }, 'features must be a power of two from 1 to 2^30, got 12');
    refuses({ orthogonalRows: 24 }, 'orthogonalRows must be a power of two from 16 to 2^30, got 24');
    refuses({ orthogonalRows: 8 }, 'orthogonalRows must be a power of two from 16 to 2^30, got 8');
    refuses({ codeRows: 1 }, 'codeRows must be a whole number of at least 2, got 1');
    refuses({ leftOut: 4 }, 'leftOut must be a whole number from 0 to 3, got 4');
  });

  it('refuses an alpha at or beyond its limit', () => {
    for (const alpha of [0, -1, 0.99, NaN]) refuses({ alpha }, /^alpha must be in \(0, 0\.612.*\), got /);
  });
});

/**
 * inf over ||theta|| <= D of (1/D) ||A theta - b|| / lambda_max(A), A = X'X and b = X'y; n cancels. In the
 * eigenbasis of A the minimiser is theta_i = lambda_i b_i / (lambda_i^2 + mu), with the multiplier mu >= 0 that
 * puts it in the ball.
 */
function leastRelativeGradient({ batch, radius }: LowerBoundData): number {
  const x = new Matrix(batch.columns.map(column => [...column]));
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(x.mmul(x.transpose()), {
    assumeSymmetric: true,
  });
  const b = eigenvectorMatrix
    .transpose()
    .mmul(x.mmul(Matrix.columnVector([...batch.target])))
    .to1DArray();
  const minimiser = (mu: number) =>
    Float64Array.from(b, (bi, i) => (realEigenvalues[i]! * bi) / (realEigenvalues[i]! ** 2 + mu));
  let [inside, outside] = [1e12, 0];
  for (let i = 0; i < 200; i++) {
    const middle = (inside + outside) / 2;
    if (norm(minimiser(middle)) > radius) outside = middle;
    else inside = middle;
  }
  const theta = minimiser(inside);
  const gradient = theta.map((coordinate, i) => realEigenvalues[i]! * coordinate - b[i]!);
  return norm(gradient) / radius / Math.max(...realEigenvalues);
}

const score = ({ columns }: LowerBoundData['batch'], theta: Float64Array, i: number): number =>
  columns.reduce((sum, column, j) => sum + column[i]! * theta[j]!, 0);

const rowTexts = ({ columns, rows }: LowerBoundData['batch']): string[] =>
  Array.from({ length: rows }, (_, i) => columns.map(column => column[i]).join());
