/** Remarks on the comparison that do not depend on its numbers; what the numbers show is in comparisonFindings.ts. */

export const columnsExplained = `On the data of the paper's seven figures: the paper's own plans, the same with one thing changed, and what Sluice does when it is left alone. An empty place means that a change has no place there.

- **theta = 0**: the error of an answer that needs no data.
- **paper**: the plan of the figure, with everything its theorem is told: curvatures, ||theta*||, radius.
- **geometric chunks**: every chunk has 1/0.7 times the rows of the one before it. A full batch has no chunks.
- **preconditioned**: gradients in coordinates where X'X/n is the identity. Not over a ball, which would not be one there, and not of private rows, which X'X would give away.
- **averaged**: the mean of the last half of the iterates.
- **least noise**: for private plans, as much noise as their epsilon and delta need, by exact accounting, instead of the paper's formula.
- **default**: \`estimate(samples)\`, or for private figures \`planPrivate\` and \`fitPrivate\` with the figure's loss, epsilon and delta and the bounds its features are drawn within.`;

export const remarks: Readonly<Record<string, string>> = {
  plot1:
    'The default is given the same ball. It takes many short projected steps, since it takes the largest curvature that the bounds allow for the true one. The best point lies on the sphere, and that is where steps of Frank-Wolfe lead. Plain Frank-Wolfe has the Gaussian width of plot1’s reading G = 2 D sqrt p.',
  plot2:
    'The ball of the figure exceeds ||theta*||, and the default is not given it. It expects log-odds of length 3, where ||theta*|| is 1.7.',
  plot3:
    'Nesterov’s method begins at (1.1, ..., 1.1), which is near theta* = (1, ..., 1); gradient descent and the default begin at 0, for they cannot know of it. Geometric chunks make the noise of a small first chunk large, and steps that contract slowly do not undo it.',
  plot4:
    'The error after the last gradient. With 6 to 15 rows per coefficient the default’s pilot and steps see all rows, as the paper’s plan does; what it gains is its loss, which suits t(3) noise. Steps that have settled are where neither averaging nor preconditioning would move them.',
  plot5:
    'Chunks of their own for every step. Preconditioned steps end at what their own chunk says, others remember the chunks before. Part of what the default gains is its loss: under t(3) noise the squared loss is not efficient, whatever the plan.',
  plot6:
    'Columns of zeros say nothing about their coefficients, so that nobody can be nearer than sqrt(1 - m/10): 0.837, 0.632 and 0.316 for m = 3, 6 and 9. The default is not given the ball: over a set it refuses columns that say nothing.',
  plot7:
    'Frank-Wolfe is told ||theta*||, the default nothing. Frank-Wolfe’s iterates come from one side, so that their average lags behind the last.',
};
