"""Makes pairs of Spark event logs: one job without and with speculative copies.

    pip install pyspark==4.1.1 zstandard
    python tools/spark/pairs.py fixtures/pairs/spark             # off and on
    python tools/spark/pairs.py fixtures/pairs/spark --pair 1    # 1-off and 1-advised

A master and four workers of two cores each, on addresses of their own, since Spark copies no task
on the host where it runs. All tasks sleep, so the machine's own speed does not matter. How long a
task sleeps is its size, lognormal, times 3 on one of the hosts, times 6 in 4 % of the attempts; a
seed of stage, index and attempt number decides, so both runs of a pair have the same luck. The
first run has Spark's defaults, without copies. The second run of the pair without a number has
`spark.speculation` besides; that of a pair with a number has the settings that `broomwagon whatif
--advise` advises from `off`. Each pair has luck of its own. What names the machine is taken out of
the logs; `truth.ndjson` says how long each original of the pair without a number would have slept.
"""

import argparse
import json
import math
import pathlib
import random
import subprocess
import time

import pyspark
import zstandard
from standalone import application, await_executors, cluster_of, host_of_executor, kept

MASTER, PORT = "127.0.0.50", 17087
WORKERS = [f"127.0.0.{51 + n}" for n in range(4)]
CORES = 2
SLOW_HOST, SLOWDOWN = WORKERS[1], 3.0
UNLUCKY_SHARE, UNLUCKY_FACTOR = 0.04, 6.0
JOBS, MAPS, REDUCES = 3, 64, 24
MAP_S, REDUCE_S, SIGMA = 1.2, 1.2, 0.2
BROOMWAGON = pathlib.Path(__file__).parents[2] / "bin" / "broomwagon.js"


def seconds_of(pair, stage, task, attempt):
    """How long the attempt sleeps on a host of usual speed."""
    size = random.Random(f"size {stage} {task}")
    name = "luck" if pair is None else f"luck of pair {pair}"
    luck = random.Random(f"{name} {stage} {task} {attempt}")
    seconds = (MAP_S if stage % 2 == 0 else REDUCE_S) * math.exp(size.gauss(0, SIGMA))
    return seconds * UNLUCKY_FACTOR if luck.random() < UNLUCKY_SHARE else seconds


def nap(pair):
    task = pyspark.TaskContext.get()
    seconds = seconds_of(pair, task.stageId(), task.partitionId(), task.attemptNumber())
    if host_of_executor() == SLOW_HOST:
        seconds *= SLOWDOWN
    time.sleep(seconds)


def map_side(rows, pair):
    nap(pair)
    return ((row % REDUCES, 1) for row in rows)


def reduce_side(rows, pair):
    nap(pair)
    return [sum(count for _, count in rows)]


def run(cluster, name, changed, pair=None, jobs=JOBS):
    settings = {"spark.speculation": "false", **changed}
    context = application(cluster, f"naps, copies {name}", settings)
    application_id = context.applicationId
    try:
        await_executors(context, len(WORKERS))
        for _ in range(jobs):
            rows = context.parallelize(range(MAPS * 10), MAPS)
            keyed = rows.mapPartitions(lambda part: map_side(part, pair)).partitionBy(REDUCES)
            counts = keyed.mapPartitions(lambda part: reduce_side(part, pair)).collect()
            assert sum(counts) == MAPS * 10, counts
    finally:
        context.stop()
    return kept(cluster, application_id)


def write_truth(path):
    """The seconds of each original, by stage and task: what no log of a killed attempt holds."""
    stages = [
        [round(seconds_of(None, stage, task, 0), 3) for task in range((MAPS, REDUCES)[stage % 2])]
        for stage in range(2 * JOBS)
    ]
    truth = {"slowHost": SLOW_HOST, "slowdown": SLOWDOWN, "stages": stages}
    path.write_text(json.dumps(truth) + "\n")


def keep(log, path):
    packed = zstandard.ZstdCompressor(level=19).compress(log.encode())
    path.write_bytes(packed)
    print(f"{path}: {log.count(chr(10))} events, {len(packed)} bytes")


def advised(log):
    """The settings that `whatif --advise` would change after the run of this log."""
    command = ["node", BROOMWAGON, "whatif", log, "--advise", "-o", "json"]
    advice = json.loads(subprocess.check_output(command))["advice"]
    assert advice["kind"] == "set", advice
    return dict(setting.split("=", 1) for setting in advice["settings"])


def record(into, cluster, pair):
    if pair is None:
        write_truth(into / "truth.ndjson")
        keep(run(cluster, "off", {}), into / "off.ndjson.zst")
        keep(run(cluster, "on", {"spark.speculation": "true"}), into / "on.ndjson.zst")
        return
    changed = advised(into / "off.ndjson.zst")
    keep(run(cluster, "off", {}, pair), into / f"{pair}-off.ndjson.zst")
    keep(run(cluster, "advised", changed, pair), into / f"{pair}-advised.ndjson.zst")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("into", type=pathlib.Path)
    parser.add_argument("--pair", type=int)
    arguments = parser.parse_args()
    arguments.into.mkdir(parents=True, exist_ok=True)
    with cluster_of(MASTER, WORKERS, CORES, PORT) as cluster:
        # The first application of a cluster starts slowly; no log of it is kept.
        run(cluster, "warming up", {}, jobs=0)
        record(arguments.into, cluster, arguments.pair)


if __name__ == "__main__":
    main()
