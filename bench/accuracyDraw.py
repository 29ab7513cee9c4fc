"""The data of accuracy.ts: one function a scenario, each with rows x, targets y and the truth, slopes first and the intercept last."""

import numpy as np

INTERCEPT = 1.0


def normal(random, rows, features):
    return random.standard_normal((rows, features))


def linear(x, noise):
    truth = np.append(np.ones(x.shape[1]), INTERCEPT)
    return x, x @ truth[:-1] + INTERCEPT + noise, truth


def gaussian(random, rows, features):
    return linear(normal(random, rows, features), random.standard_normal(rows))


def student_noise(freedom):
    return lambda random, rows, features: linear(normal(random, rows, features), random.standard_t(freedom, rows))


def student_features(random, rows, features):
    return linear(random.standard_t(5, (rows, features)), random.standard_t(3, rows))


def lognormal_features(random, rows, features):
    return linear(np.exp(normal(random, rows, features)), random.standard_normal(rows))


def spoilt(share, spoil):
    """Gaussian rows, of which a share is replaced by what spoil makes of them."""

    def draw(random, rows, features):
        x, y, truth = gaussian(random, rows, features)
        chosen = random.permutation(rows)[: round(share * rows)]
        x[chosen], y[chosen] = spoil(random, x[chosen], y[chosen], truth)
        return x, y, truth

    return draw


def high_targets(random, x, y, truth):
    return x, y + 30


def leverage(random, x, y, truth):
    """Features twenty times as wide, targets that know nothing of them."""
    return 20 * x, random.standard_normal(len(y))


def against_slope(random, x, y, truth):
    """A tight cluster no further out than other rows are, on the line with the opposite slope."""
    direction = truth[:-1] / np.linalg.norm(truth[:-1])
    x = 4 * direction + x / 2
    return x, truth[-1] - x @ truth[:-1] + random.standard_normal(len(y))


def ill_conditioned(random, rows, features):
    turn, _ = np.linalg.qr(normal(random, features, features))
    return linear(normal(random, rows, features) * np.logspace(0, -2, features) @ turn, random.standard_normal(rows))


def sorted_by(column):
    def draw(random, rows, features):
        x, y, truth = student_noise(3)(random, rows, features)
        order = np.argsort(y if column == "target" else x[:, 0])
        return x[order], y[order], truth

    return draw


def logistic(length):
    """Classes with slopes of so much length; with 15 only one row in twenty has any doubt."""

    def draw(random, rows, features):
        x = normal(random, rows, features)
        truth = np.append(np.full(features, length / np.sqrt(features)), INTERCEPT / 2)
        chance = 1 / (1 + np.exp(-(x @ truth[:-1] + truth[-1])))
        return x, (random.random(rows) < chance).astype(float), truth

    return draw


def bounded(noise, most):
    """Features in [-1, 1], targets in [-most, most], slopes of length 1."""

    def draw(random, rows, features):
        x = np.clip(0.4 * normal(random, rows, features), -1, 1)
        truth = np.append(np.full(features, 1 / np.sqrt(features)), 0.2)
        y = x @ truth[:-1] + truth[-1] + noise(random, rows)
        return x, np.clip(y, -most, most), truth

    return draw


def leaning(random, rows, features):
    """Features that crowd at one end of [-1, 1], as incomes do in bounds that leave room for the rich."""
    x = np.clip(-0.9 + 0.08 * np.exp(0.5 * normal(random, rows, features)), -1, 1)
    slopes = np.full(features, 3 / np.sqrt(features))
    truth = np.append(slopes, 0.8 * slopes.sum())
    y = x @ slopes + truth[-1] + 0.3 * random.standard_normal(rows)
    return x, np.clip(y, -2, 2), truth


def bounded_logistic(random, rows, features):
    x = np.clip(0.4 * normal(random, rows, features), -1, 1)
    truth = np.append(np.full(features, 3 / np.sqrt(features)), 0.2)
    chance = 1 / (1 + np.exp(-(x @ truth[:-1] + truth[-1])))
    return x, (random.random(rows) < chance).astype(float), truth


DRAWS = {
    "gaussian": gaussian,
    "t(3) noise": student_noise(3),
    "t(2.1) noise": student_noise(2.1),
    "t(5) features": student_features,
    "log-normal features": lognormal_features,
    "1 % outliers in y": spoilt(0.01, high_targets),
    "5 % outliers in y": spoilt(0.05, high_targets),
    "10 % outliers in y": spoilt(0.1, high_targets),
    "1 % leverage": spoilt(0.01, leverage),
    "5 % leverage": spoilt(0.05, leverage),
    "10 % leverage": spoilt(0.1, leverage),
    "1 % adversarial": spoilt(0.01, against_slope),
    "5 % adversarial": spoilt(0.05, against_slope),
    "10 % adversarial": spoilt(0.1, against_slope),
    "ill-conditioned": ill_conditioned,
    "sorted by target": sorted_by("target"),
    "sorted by a feature": sorted_by("feature"),
    "logistic": logistic(2),
    "near separation": logistic(15),
    "private, normal noise": bounded(lambda random, rows: 0.3 * random.standard_normal(rows), 2),
    "private, t(3) noise": bounded(lambda random, rows: 0.3 * random.standard_t(3, rows), 4),
    "private, wide bounds": bounded(lambda random, rows: 0.3 * random.standard_normal(rows), 2),
    "private, logistic": bounded_logistic,
    "private, leaning features": leaning,
}

# Half the width of what is declared about features and targets: the same for every method.
BOUNDS = {
    "private, normal noise": (1, 2),
    "private, t(3) noise": (1, 4),
    "private, wide bounds": (5, 10),
    "private, logistic": (1, 1),
    "private, leaning features": (1, 2),
}


def draw(scenario, rows, features, seed):
    # The scenario's place keeps one scenario's rows from being another's with a shift.
    random = np.random.default_rng([seed, list(DRAWS).index(scenario), rows, features])
    return DRAWS[scenario](random, rows, features)


def excess_risk(scenario, truth):
    """The logistic loss of a theta beyond the truth's, on 100,000 rows of its own, over the chances and not over drawn classes."""
    x, _, _ = draw(scenario, 100_000, len(truth) - 1, 10**6)
    scores = x @ truth[:-1] + truth[-1]
    chance = 1 / (1 + np.exp(-scores))
    risk = lambda s: np.mean(np.logaddexp(0, s) - chance * s)
    return lambda theta: float(risk(x @ theta[:-1] + theta[-1]) - risk(scores))
