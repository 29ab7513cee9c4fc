"""The peers of accuracy.ts: a function each from rows and targets to slopes and an intercept, with the settings that the packages come with.

A private peer also takes (epsilon, delta) and the bounds that are declared for all.
"""

import numpy as np


def coefficients(model):
    return np.append(np.ravel(model.coef_), np.ravel(model.intercept_))


def least_squares(x, y, seed):
    from sklearn.linear_model import LinearRegression

    return coefficients(LinearRegression().fit(x, y))


def huber(x, y, seed):
    from sklearn.linear_model import HuberRegressor

    return coefficients(HuberRegressor(alpha=0, max_iter=1000).fit(x, y))


def ransac(x, y, seed):
    from sklearn.linear_model import RANSACRegressor

    return coefficients(RANSACRegressor(random_state=seed).fit(x, y).estimator_)


def theil_sen(x, y, seed):
    from sklearn.linear_model import TheilSenRegressor

    return coefficients(TheilSenRegressor(random_state=seed).fit(x, y))


def unscaled(slopes, intercept, centre, scale):
    slopes = slopes / scale
    return np.append(slopes, intercept - slopes @ centre)


def stochastic_gradient(x, y, seed):
    from sklearn.linear_model import SGDRegressor
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(x)
    model = SGDRegressor(random_state=seed).fit(scaler.transform(x), y)
    return unscaled(model.coef_, model.intercept_[0], scaler.mean_, scaler.scale_)


def logistic(penalized):
    def fit(x, y, seed):
        from sklearn.linear_model import LogisticRegression

        return coefficients(LogisticRegression(max_iter=1000, **({} if penalized else {"penalty": None})).fit(x, y))

    return fit


def robust_linear(norm):
    def fit(x, y, seed):
        import statsmodels.api as sm

        found = sm.RLM(y, sm.add_constant(x, has_constant="add"), M=getattr(sm.robust.norms, norm)()).fit()
        return np.append(found.params[1:], found.params[0])

    return fit


def river(x, y, seed):
    """One pass in batches of 100 rows, in the order of the file, as a stream comes."""
    import pandas as pd
    from river import linear_model, preprocessing

    scaler, model = preprocessing.StandardScaler(), linear_model.LinearRegression()
    names = [f"x{j}" for j in range(x.shape[1])]
    for start in range(0, len(y), 100):
        frame = pd.DataFrame(x[start : start + 100], columns=names)
        scaler.learn_many(frame)
        model.learn_many(scaler.transform_many(frame), pd.Series(y[start : start + 100]))
    scale = np.sqrt([scaler.vars[name] for name in names])
    return unscaled(np.array([model.weights[name] for name in names]), model.intercept, np.array([scaler.means[name] for name in names]), scale)


def diffprivlib_linear(x, y, seed, epsilon, delta, wide, high):
    from diffprivlib.models import LinearRegression

    return coefficients(LinearRegression(epsilon=epsilon, bounds_X=(-wide, wide), bounds_y=(-high, high), random_state=seed).fit(x, y))


def diffprivlib_logistic(x, y, seed, epsilon, delta, wide, high):
    # Its noise is not smaller for every larger epsilon: where its penalty just suffices it keeps next to nothing of epsilon for the noise.
    from diffprivlib.models import LogisticRegression

    norm = wide * np.sqrt(x.shape[1])
    return coefficients(LogisticRegression(epsilon=epsilon, data_norm=norm, max_iter=1000, random_state=seed).fit(x, y))


def ada_ssp(replace_one):
    """Algorithm 2 of Wang, "Revisiting differentially private linear regression" (2018), with an intercept as one more feature of 1.

    As printed its noise is for one row more or less. To replace a row moves X'X by sqrt(2) and X'y by 2 times as much, and its least eigenvalue by as
    much as before.
    """

    def fit(x, y, seed, epsilon, delta, wide, high):
        random = np.random.default_rng([seed, 1])
        # In units of the bounds, where a row's norm and a target are at most these.
        rows = np.column_stack([np.clip(x / wide, -1, 1), np.ones(len(y))])
        targets = np.clip(y / high, -1, 1)
        size = rows.shape[1]
        norm, third, logs = np.sqrt(size), epsilon / 3, np.log(6 / delta)
        square_moves, cross_moves = (np.sqrt(2), 2) if replace_one else (1, 1)
        gram = rows.T @ rows
        least = np.linalg.eigvalsh(gram)[0] + np.sqrt(logs) / third * norm**2 * random.standard_normal() - logs / third * norm**2
        penalty = max(0, np.sqrt(size * logs * np.log(2 * size**2 / 0.05)) * square_moves * norm**2 / third - max(0, least))
        noise = np.triu(random.standard_normal((size, size)))
        noise = noise + np.triu(noise, 1).T
        gram = gram + np.sqrt(logs) * square_moves * norm**2 / third * noise
        cross = rows.T @ targets + np.sqrt(logs) * cross_moves * norm / third * random.standard_normal(size)
        theta = np.linalg.solve(gram + penalty * np.eye(size), cross) * high
        return np.append(theta[:-1] / wide, theta[-1])

    return fit


def opendp_theil_sen(x, y, seed, epsilon, delta, wide, high):
    """One feature only. A replaced row is one removed and one added: a distance of 2. Its noise cannot be seeded."""
    import opendp.prelude as dp

    dp.enable_features("contrib", "honest-but-curious", "idealized-numerics")
    model = lambda scale: dp.sklearn.linear_model.LinearRegression(
        dp.max_divergence(), x_bounds=[(-wide, wide)], y_bounds=(-high, high), scale=scale
    )
    scale = dp.binary_search(lambda scale: model(scale).measurement.map(2) <= epsilon, bounds=(1e-3, 1e6))
    return coefficients(model(scale).fit(x, y))


PEERS = {
    "sklearn LinearRegression": least_squares,
    "sklearn Huber": huber,
    "sklearn RANSAC": ransac,
    "sklearn TheilSen": theil_sen,
    "sklearn SGD": stochastic_gradient,
    "sklearn Logistic": logistic(True),
    "sklearn Logistic, no penalty": logistic(False),
    "statsmodels Huber": robust_linear("HuberT"),
    "statsmodels Tukey": robust_linear("TukeyBiweight"),
    "River": river,
}

PRIVATE_PEERS = {
    "diffprivlib LinearRegression": diffprivlib_linear,
    "diffprivlib LogisticRegression": diffprivlib_logistic,
    "AdaSSP": ada_ssp(True),
    "AdaSSP, one row more or less": ada_ssp(False),
    "OpenDP TheilSen": opendp_theil_sen,
}
