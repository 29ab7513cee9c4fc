"""The Python side of accuracy.ts. Without arguments it answers each line of JSON on standard input with one on standard output:

{"draw": {...}}   draws a sample, keeps it, and writes it to a Parquet file that others read
{"fit": {...}}    fits a peer to the sample at hand
{"score": [...]}  says how far a theta is from the truth of the sample at hand

"one NAME FILE" fits one peer to a Parquet file; "time COMMAND..." runs a command and prints its seconds and peak memory.
"""

import json
import resource
import subprocess
import sys
import time
import warnings

import numpy as np

import accuracyDraw
import accuracyPeers

ROW_GROUP = 1 << 17


def write(path, x, y):
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = [f"x{j}" for j in range(x.shape[1])] + ["y"]
    table = pa.table([*(pa.array(np.ascontiguousarray(x[:, j])) for j in range(x.shape[1])), pa.array(y)], names=names)
    pq.write_table(table, path, row_group_size=ROW_GROUP, compression="snappy", use_dictionary=False)


def read(path):
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    columns = [column.to_numpy() for column in table.columns]
    return np.column_stack(columns[:-1]), columns[-1]


class Sample:
    """The sample at hand."""

    def draw(self, scenario, rows, features, seed, path):
        self.scenario = scenario
        self.x, self.y, self.truth = accuracyDraw.draw(scenario, rows, features, seed)
        write(path, self.x, self.y)
        wide, high = accuracyDraw.BOUNDS.get(scenario, (None, None))
        return {"bounds": None if wide is None else {"wide": wide, "high": high}, "truth": list(self.truth)}

    def fit(self, method, seed, epsilon=None, delta=None):
        # Packages may change what they are given.
        x, y = self.x.copy(), self.y.copy()
        begun = time.perf_counter()
        if epsilon is None:
            theta = accuracyPeers.PEERS[method](x, y, seed)
        else:
            theta = accuracyPeers.PRIVATE_PEERS[method](x, y, seed, epsilon, delta, *accuracyDraw.BOUNDS[self.scenario])
        return {"theta": [float(value) for value in theta], "seconds": time.perf_counter() - begun}

    def score(self, theta):
        theta = np.array(theta)
        if set(np.unique(self.y)) <= {0, 1}:
            error = accuracyDraw.excess_risk(self.scenario, self.truth)(theta)
        else:
            error = float(np.linalg.norm(theta[:-1] - self.truth[:-1]))
        return {"error": error, "intercept": float(abs(theta[-1] - self.truth[-1]))}


def answer(sample, request):
    if "draw" in request:
        return sample.draw(**request["draw"])
    if "score" in request:
        return sample.score(request["score"])
    try:
        return sample.fit(**request["fit"])
    except Exception as failure:  # a peer that gives up is a result
        return {"failed": f"{type(failure).__name__}: {failure}"[:200]}


def versions():
    from importlib.metadata import version

    names = ["numpy", "scikit-learn", "statsmodels", "diffprivlib", "opendp", "river"]
    return {name: version(name) for name in names}


def serve():
    sample = Sample()
    print(json.dumps(versions()), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(sample, json.loads(line))), flush=True)


def timed(command):
    begun = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    print(json.dumps({"seconds": seconds, "peak": peak}))


warnings.simplefilter("ignore")
match sys.argv[1:]:
    case []:
        serve()
    case ["one", name, path]:
        accuracyPeers.PEERS[name](*read(path), 0)
    case ["time", *command]:
        timed(command)
