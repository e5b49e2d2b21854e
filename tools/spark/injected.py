"""Makes event logs of Spark in which one thing went wrong, for so many seconds.

    pip install pyspark==4.1.1
    python tools/spark/injected.py fixtures/injected                  # all of them
    python tools/spark/injected.py /tmp/injected hot-key --seed 2     # one, of another draw

Four workers of two cores each. Nearly all tasks sleep, so the machine's own speed matters little; a
seed decides how long each. `truth.ndjson` has a line for each log: what was injected, and the
seconds of response that this cost. Where it made attempts longer, these are the seconds by which
the recorded attempts end sooner on as many slots, if each is shorter by what was injected in it.
Where it made more of them, the application runs the same job twice, first unharmed: then it is what
the second took longer.
"""

import argparse
import gzip
import inspect
import json
import pathlib

from kinds import CORES, KINDS, WORKERS, warm
from standalone import application, await_executors, cluster_of, kept

MASTER, PORT = "127.0.1.1", 17187
# Of what a seed draws: too long for a line of truth.
LEFT_OUT = ("draw", "settings", "stages", "even")


def record(into, cluster, name, seed):
    kind = KINDS[name](seed)
    context = application(cluster, name, kind.settings)
    try:
        application_id = context.applicationId
        await_executors(context, kind.executors)
        kind.run(context)
    finally:
        context.stop()
    log = kept(cluster, application_id)
    packed = gzip.compress(log.encode(), 9, mtime=0)
    (into / f"{name}.ndjson.gz").write_bytes(packed)
    drawn = {key: value for key, value in vars(kind).items() if key not in LEFT_OUT}
    truth = {
        "log": f"{name}.ndjson.gz",
        "what": inspect.getdoc(kind),
        "injectedS": round(kind.injected_s(log), 3),
        "drawn": drawn,
    }
    print(json.dumps(truth), len(packed), "bytes", flush=True)
    return truth


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("into", type=pathlib.Path)
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    into, names = arguments.into, arguments.kinds or list(KINDS)
    into.mkdir(parents=True, exist_ok=True)
    path = into / "truth.ndjson"
    known = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    truths = {truth["log"]: truth for truth in known}
    with cluster_of(MASTER, WORKERS, CORES, PORT) as cluster:
        # The first application of a cluster starts slowly; no log of it is kept.
        warming = application(cluster, "warming up", {"spark.eventLog.enabled": "false"})
        await_executors(warming, len(WORKERS))
        warm(warming)
        warming.stop()
        for name in names:
            truth = record(into, cluster, name, arguments.seed)
            truths[truth["log"]] = truth
            path.write_text("".join(json.dumps(truths[key]) + "\n" for key in sorted(truths)))


if __name__ == "__main__":
    main()
