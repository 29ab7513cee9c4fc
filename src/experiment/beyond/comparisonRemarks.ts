/** What is to be known beside the numbers of the comparison. The numbers are made anew by every run, so none is repeated here. */

export const summary = `On the data of the paper's seven figures: the paper's own plans, the same with one thing changed, and what Sluice does when it is left alone. An empty place means that a change has no place there.

- **theta = 0**: the error of an answer that needs no data.
- **paper**: the plan of the figure, with everything its theorem is told: curvatures, ||theta*||, radius.
- **geometric chunks**: every chunk has 1/0.7 times the rows of the one before it. A full batch has no chunks.
- **preconditioned**: gradients in coordinates where X'X/n is the identity. Not over a ball, which would not be one there, and not of private rows, which X'X would give away.
- **averaged**: the mean of the last half of the iterates.
- **least noise**: for private plans, as much noise as their epsilon and delta need, by exact accounting, instead of the paper's formula.
- **default**: \`estimate(samples)\`, or for private figures \`planPrivate\` and \`fitPrivate\` with the figure's loss, epsilon and delta and the bounds its features are drawn within.

In short. For private figures most of the gain is accounting: with the least noise the better of the paper's two plans comes near the default, and is ahead of it for plot1 and, from its better start, for plot3. Without privacy the default wins by its loss, which suits t(3) noise, and by using all rows; it wins more the more rows there are. Of the single changes, averaging and geometric chunks help where steps see chunks of their own and contract quickly. Preconditioning has nothing to win on these data, whose condition numbers are 1.5 at most wherever it has a place.`;

export const remarks: Readonly<Record<string, string>> = {
  plot1:
    'The default is given the same ball. It takes many short projected steps, since it takes the largest curvature that the bounds allow for the true one. With the least noise both Frank-Wolfe plans are about as good at the larger n and plainly better at the smaller: the best point lies on the sphere, and that is where their steps lead.',
  plot2:
    'The ball of the figure exceeds ||theta*||, and the default is not given it. It expects log-odds of length 3, where ||theta*|| is 1.7. The paper’s own plans are worse than 0 at the smaller n, or hardly better; with the least noise plain Frank-Wolfe is the better of the two.',
  plot3:
    'Nesterov’s method begins at (1.1, ..., 1.1), which is near theta* = (1, ..., 1); gradient descent and the default begin at 0. With the least noise and that start Nesterov’s method is better than the default, which cannot know of it. Geometric chunks do harm at epsilon = 0.1: the noise of a small first chunk is large, and steps that contract slowly do not undo it.',
  plot4:
    'The error after the last gradient. With 6 to 15 rows per coefficient the default’s pilot and steps see all rows, as the paper’s plan does; what it gains is its loss, which suits t(3) noise. All plans of the paper that have settled agree, so that neither averaging nor preconditioning changes them; where gradient descent has not settled, both help.',
  plot5:
    'Chunks of their own for every step. Averaging and geometric chunks each take a good part of the paper’s error away. Preconditioned steps end at what their own chunk says, which is a little worse than steps that remember the chunks before. The rest of the default’s advantage is its loss: under t(3) noise the squared loss is not efficient, whatever the plan.',
  plot6:
    'Columns of zeros say nothing about their coefficients, so that nobody can be nearer than sqrt(1 - m/10): 0.837, 0.632 and 0.316 for m = 3, 6 and 9. The default ends there, and no plan could be better by much. It is not given the ball: over a set it refuses columns that say nothing.',
  plot7:
    'Frank-Wolfe is told ||theta*||, the default nothing. Frank-Wolfe’s iterates come from one side, so that their average lags behind the last.',
};
