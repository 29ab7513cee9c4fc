"""The Python peers of streams.ts, one run each in a process of its own: prints processor seconds and coefficients as JSON.

make writes a stream of Arrow batches; the others learn from it, row by row or batch by batch, from memory: what is
read and converted before the first row is learnt from does not count. Vowpal Wabbit also has its own reader, of text.
"""

import json
import sys
import time

import numpy as np

FEATURES = 11
BATCH = 1000
INTERCEPT = 1.0


def slopes():
    return np.array([((j * 7) % 5 - 2) / 2 for j in range(FEATURES)])


def scales(kind):
    return 10.0 ** np.linspace(-3, 6, FEATURES) if kind == "scales" else np.ones(FEATURES)


def make(path, rows, kind):
    import pyarrow as pa

    random = np.random.default_rng(1)
    names = [f"x{j}" for j in range(FEATURES)] + ["y"]
    schema = pa.schema([(name, pa.float64()) for name in names])
    with pa.ipc.new_stream(path, schema) as stream:
        for _ in range(0, int(rows), BATCH):
            z = random.normal(size=(BATCH, FEATURES))
            y = z @ slopes() + INTERCEPT + random.standard_t(3, BATCH)
            if kind == "outliers":
                wrong = random.random(BATCH) < 0.01
                y[wrong] += 50
            x = z * scales(kind)
            stream.write_batch(pa.record_batch([pa.array(c) for c in [*x.T, y]], schema=schema))


def batches(path):
    import pyarrow as pa

    with pa.ipc.open_stream(path) as stream:
        for batch in stream:
            columns = [column.to_numpy() for column in batch.columns]
            yield np.column_stack(columns[:-1]), columns[-1]


def river_model(loss="squared", bayesian=False):
    from river import linear_model, optim, preprocessing

    if bayesian:
        return linear_model.BayesianLinearRegression()
    losses = {"squared": optim.losses.Squared(), "huber": optim.losses.Huber()}
    return preprocessing.StandardScaler() | linear_model.LinearRegression(
        optimizer=optim.SGD(0.01), loss=losses[loss], intercept_lr=0.01
    )


def line_of(predict):
    """The slopes and intercept of a model that is linear, from its predictions."""
    base = predict(np.zeros(FEATURES))
    return [float(predict(row) - base) for row in np.eye(FEATURES)] + [float(base)]


def named(row):
    return {f"x{j}": value for j, value in enumerate(row)}


def river_one(path, kind="squared"):
    rows = [(named(row.tolist()), target) for x, y in batches(path) for row, target in zip(x, y.tolist())]
    if kind == "bayesian":
        for row, _ in rows:
            row["one"] = 1.0
    model = river_model("squared" if kind == "bayesian" else kind, kind == "bayesian")
    begun = time.process_time()
    for row, target in rows:
        model.learn_one(row, target)
    seconds = time.process_time() - begun
    constant = {"one": 1.0} if kind == "bayesian" else {}
    return len(rows), seconds, line_of(lambda row: model.predict_one({**named(row), **constant}))


def river_many(path, rows="1000"):
    import pandas as pd

    names = [f"x{j}" for j in range(FEATURES)]
    features, targets = (np.concatenate(parts) for parts in zip(*batches(path)))
    cuts = range(0, len(targets), int(rows))
    frames = [
        (pd.DataFrame(features[i : i + int(rows)], columns=names), pd.Series(targets[i : i + int(rows)])) for i in cuts
    ]
    model = river_model()
    begun = time.process_time()
    for frame, target in frames:
        model.learn_many(frame, target)
    seconds = time.process_time() - begun
    return sum(len(y) for _, y in frames), seconds, line_of(lambda row: model.predict_one(named(row)))


def lines(path):
    for x, y in batches(path):
        for row, target in zip(x, y.tolist()):
            yield f"{target!r} | " + " ".join(f"x{j}:{value!r}" for j, value in enumerate(row.tolist()))


def vw_text(path, out):
    """The same rows as Vowpal Wabbit's reader takes them."""
    with open(out, "w") as file:
        for line in lines(path):
            file.write(line + "\n")


def vw(path, kind="squared"):
    import vowpalwabbit

    loss = "--loss_function quantile --quantile_tau 0.5" if kind == "quantile" else ""
    begun = time.process_time()
    model = vowpalwabbit.Workspace(f"-d {path} --quiet --no_stdin {loss}")
    model.run_parser()
    seconds = time.process_time() - begun
    with open(path) as file:
        rows = sum(1 for _ in file)

    def predict(row):
        return model.predict("| " + " ".join(f"x{j}:{value!r}" for j, value in enumerate(np.asarray(row).tolist())))

    return rows, seconds, line_of(predict)


def main(task, *rest):
    if task == "make":
        return make(*rest)
    if task == "vw-text":
        return vw_text(*rest)
    tasks = {"river-one": river_one, "river-many": river_many, "vw": vw}
    rows, seconds, coefficients = tasks[task](*rest)
    print(json.dumps({"rows": rows, "seconds": seconds, "coefficients": coefficients}))
    return None


main(*sys.argv[1:])
