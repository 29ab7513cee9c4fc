"""The numpy peer of figures.ts: plots 3, 5 and 7 of the paper as one would write them, primary readings, on the same n and as many seeds.

Prints one line of JSON: the seconds of processor time, data included, and the median of each series at the largest n.
"""

import json
import math
import sys
import time

import numpy as np


def geometric_median(points):
    y = points.mean(0)
    for _ in range(200):
        d = np.maximum(np.linalg.norm(points - y, axis=1), 1e-12)
        w = 1 / d
        new = (points * w[:, None]).sum(0) / w.sum()
        if np.linalg.norm(new - y) <= 1e-10 * (1 + np.linalg.norm(y)):
            return new
        y = new
    return y


def blocks_for(zeta):
    psi = (11 / 18) * math.log(11 / 18 / 0.9) + (7 / 18) * math.log(7 / 18 / 0.1)
    return math.floor(math.log(1 / zeta) / psi) + 1


def block_means(x, y, theta, b):
    m = len(y) // b
    x, y = x[: b * m], y[: b * m]
    r = x @ theta - y
    return (x * r[:, None]).reshape(b, m, -1).mean(1)


def steps(value):
    return max(1, math.ceil(value * (1 - 1e-12)))


def plot3(rng, sizes):
    p, q, lipschitz, tau, delta = 10, 0.2, 0.2, 1 / 30, 1 / 3
    x = rng.uniform(-1 / math.sqrt(p), 1 / math.sqrt(p), (max(sizes), p))
    y = x @ np.ones(p) + rng.standard_t(3, max(sizes))
    for n in sizes:
        t_all = steps(n ** 0.2)
        m = n // t_all
        for eps in (0.1, 0.9):
            sigma = lipschitz * math.sqrt(64 * t_all * math.log(5 * t_all / (2 * delta)) * math.log(2 / delta)) / (m * eps)

            def gradient(theta, t):
                xs, ys = x[t * m : (t + 1) * m], y[t * m : (t + 1) * m]
                r = xs @ theta - ys
                return xs.T @ (r / np.sqrt(1 + (r / q) ** 2)) / m + sigma * rng.standard_normal(p)

            theta = np.zeros(p)
            for t in range(t_all):
                theta = theta - gradient(theta, t) / tau
            yield f"GD eps={eps}", n, math.log(np.linalg.norm(theta - 1))
            before, theta = np.zeros(p), np.full(p, 1.1)
            for t in range(1, t_all):
                look = theta + (t - 1) / (t + 2) * (theta - before)
                before, theta = theta, look - gradient(look, t - 1) / tau
            yield f"AGD eps={eps}", n, math.log(np.linalg.norm(theta - 1))


def plot5(rng, sizes):
    p, upper, lower, zeta = 100, 1.0, 2 / 3, 0.1
    x = rng.standard_normal((max(sizes), p)) * np.sqrt(np.linspace(lower, upper, p))
    y = x @ np.ones(p) + rng.standard_t(3, max(sizes))
    momentum = (math.sqrt(upper) - math.sqrt(lower)) / (math.sqrt(upper) + math.sqrt(lower))
    for n in sizes:
        for name, t_all in (
            ("GD", steps(math.log(math.sqrt(n)) / math.log((upper + lower) / upper))),
            ("AGD", steps(2 * math.log(math.sqrt(n)) / math.log(1 / (1 - math.sqrt(lower / upper))))),
        ):
            m, b = n // t_all, blocks_for(zeta / t_all)
            gradient = lambda theta, t: geometric_median(block_means(x[t * m : (t + 1) * m], y[t * m : (t + 1) * m], theta, b))
            before = theta = np.zeros(p)
            if name == "GD":
                for t in range(t_all):
                    theta = theta - 2 / (upper + lower) * gradient(theta, t)
            else:
                for t in range(t_all - 1):
                    look = theta + momentum * (theta - before)
                    before, theta = theta, look - gradient(look, t) / upper
            yield name, n, math.log(np.linalg.norm(theta - 1))


def plot7(rng, sizes):
    p, zeta, gap = 10, 0.1, 0.5
    x = rng.standard_normal((max(sizes), p))
    y = x @ np.ones(p) + rng.standard_t(3, max(sizes))
    for n in sizes:
        radius = math.sqrt(p) - gap * n ** -0.2
        ratio = gap * n ** -0.2 / radius
        accelerated = steps(math.log(n ** 0.4) / -math.log(max(0.5, 1 - ratio / 8)))
        for name, d, t_all, eta in (
            ("ACCFW", radius, accelerated, lambda t: min(1, ratio / 4)),
            ("FW", math.sqrt(p), steps(n ** (1 / 3)), lambda t: 2 / (t + 2)),
        ):
            b, theta = blocks_for(zeta / t_all), np.zeros(p)
            for t in range(t_all):
                g = geometric_median(block_means(x[:n], y[:n], theta, b))
                theta = (1 - eta(t)) * theta - eta(t) * d * g / np.linalg.norm(g)
            yield name, n, math.log(np.linalg.norm(theta - 1))


asked = json.loads(sys.argv[1])
figure = {"plot3": plot3, "plot5": plot5, "plot7": plot7}[asked["name"]]
begun, found = time.process_time(), {}
for seed in range(asked["seeds"]):
    for series, n, value in figure(np.random.default_rng(seed), asked["sizes"]):
        if n == max(asked["sizes"]):
            found.setdefault(series, []).append(value)
medians = {series: float(np.median(values)) for series, values in found.items()}
print(json.dumps({"processorSeconds": time.process_time() - begun, "medians": medians}))
