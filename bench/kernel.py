"""The numpy peer of kernel.ts: answers each line of JSON on standard input with a line on standard output.

{"make": {...}} makes a sample and says "ready"; {"time": n, ...} makes the block sums n times and says the seconds of one.
Columns are contiguous, which is the faster order here. Plain numpy takes a block at a time; "tile" cuts it to stay in cache.
"""

import json
import sys
import time

import numpy as np


def slope(loss, s, y, q=0.3):
    if loss == "squared":
        return s - y
    if loss == "logistic":
        return 1 / (1 + np.exp(-s)) - y
    r = s - y
    return r / np.sqrt(1 + (r / q) ** 2)


def block_sums(loss, x, y, theta, blocks, tile):
    rows = len(y) // blocks
    sums = np.zeros((blocks, len(theta)))
    for k in range(blocks):
        for start in range(k * rows, (k + 1) * rows, tile or rows):
            part = slice(start, min(start + (tile or rows), (k + 1) * rows))
            sums[k] += slope(loss, x[part] @ theta, y[part]) @ x[part]
    return sums


for line in sys.stdin:
    request = json.loads(line)
    if "make" in request:
        shape = request["make"]
        random = np.random.default_rng(1)
        x = np.asfortranarray(random.uniform(-1, 1, (shape["rows"], shape["features"])))
        y = random.integers(0, 2, shape["rows"]).astype(float)
        theta = random.uniform(-0.25, 0.25, shape["features"])
        print("ready", flush=True)
    else:
        start = time.perf_counter()
        for _ in range(request["time"]):
            block_sums(request["loss"], x, y, theta, request["blocks"], request["tile"])
        print((time.perf_counter() - start) / request["time"], flush=True)
