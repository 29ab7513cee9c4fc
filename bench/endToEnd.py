"""The Python peers of endToEnd.ts: one run each, in a process of its own; prints seconds and peak memory as JSON.

duckdb and numpy make the sums of one gradient of the squared loss, at a fixed theta, from a file; sgd and huber fit a regression to its
first rows. make and make-arrow write the files.
"""

import json
import resource
import sys
import time

FEATURES = 20


def theta():
    return [((j * 7) % 5 - 2) / 10 for j in range(FEATURES)]


def record_batches(rows):
    import numpy as np
    import pyarrow as pa

    names = [f"x{j}" for j in range(FEATURES)] + ["y"]
    random = np.random.default_rng(1)
    size = 1 << 16
    for start in range(0, rows, size):
        n = min(size, rows - start)
        # Measurements have a few digits, which is what codecs live on.
        x = np.round(random.normal(size=(FEATURES, n)), 3)
        y = np.round(x.T @ np.array(theta()) + random.standard_t(3, n), 3)
        yield pa.record_batch([pa.array(c) for c in [*x, y]], names=names)


def make_arrow(path, rows):
    import pyarrow as pa

    batches = record_batches(rows)
    first = next(batches)
    with pa.ipc.new_file(path, first.schema) as arrow:
        arrow.write_batch(first)
        for batch in batches:
            arrow.write_batch(batch)


def make(folder, rows):
    import pyarrow as pa
    import pyarrow.parquet as pq

    make_arrow(f"{folder}/data.arrow", rows)
    schema = next(record_batches(1)).schema
    snappy = pq.ParquetWriter(f"{folder}/data.snappy.parquet", schema, compression="snappy", use_dictionary=False)
    zstd = pq.ParquetWriter(f"{folder}/data.zstd.parquet", schema, compression="zstd", use_dictionary=False)
    pending = []
    for batch in record_batches(rows):
        pending.append(batch)
        if len(pending) == 16:
            table = pa.Table.from_batches(pending)
            snappy.write_table(table)
            zstd.write_table(table)
            pending = []
    if pending:
        table = pa.Table.from_batches(pending)
        snappy.write_table(table)
        zstd.write_table(table)
    for writer in (snappy, zstd):
        writer.close()


def duckdb_sums(path, threads):
    import duckdb

    connection = duckdb.connect()
    connection.execute(f"SET threads = {threads}")
    score = " + ".join(f"{value} * x{j}" for j, value in enumerate(theta()))
    sums = ", ".join(f"sum(r * x{j})" for j in range(FEATURES))
    return connection.execute(f"SELECT {sums} FROM (SELECT *, {score} - y AS r FROM '{path}')").fetchall()


def numpy_sums(path):
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    at = np.array(theta())
    sums = np.zeros(FEATURES)
    batches = pq.ParquetFile(path).iter_batches(1 << 16) if path.endswith(".parquet") else file_batches(pa, path)
    for batch in batches:
        x = np.stack([batch.column(j).to_numpy() for j in range(FEATURES)])
        residual = at @ x - batch.column(FEATURES).to_numpy()
        sums += x @ residual
    return sums


def file_batches(pa, path):
    reader = pa.ipc.open_file(pa.memory_map(path))
    return (reader.get_batch(k) for k in range(reader.num_record_batches))


def first_rows(path, rows):
    import pyarrow as pa
    import pyarrow.parquet as pq

    batches = []
    for batch in pq.ParquetFile(path).iter_batches(1 << 16):
        batches.append(batch.slice(0, rows))
        rows -= batches[-1].num_rows
        if rows == 0:
            break
    return pa.Table.from_batches(batches).to_pandas()


def sklearn_fit(path, kind, rows):
    from sklearn.linear_model import HuberRegressor, SGDRegressor

    table = first_rows(path, rows)
    x, y = table.iloc[:, :FEATURES].to_numpy(), table["y"].to_numpy()
    model = SGDRegressor(max_iter=1, tol=None) if kind == "sgd" else HuberRegressor(alpha=0)
    return model.fit(x, y)


task, *arguments = sys.argv[1:]
if task == "make":
    make(arguments[0], int(arguments[1]))
elif task == "make-arrow":
    make_arrow(arguments[0], int(arguments[1]))
else:
    begun = time.perf_counter()
    if task == "duckdb":
        duckdb_sums(arguments[0], int(arguments[1]))
    elif task == "numpy":
        numpy_sums(arguments[0])
    else:
        sklearn_fit(arguments[0], task, int(arguments[1]))
    seconds = time.perf_counter() - begun
    print(json.dumps({"seconds": seconds, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
