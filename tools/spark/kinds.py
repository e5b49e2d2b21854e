"""Applications of Spark in which something goes wrong, as a seed draws it."""

import math
import os
import random
import signal
import statistics
import threading
import time

import pyspark
from pyspark.sql import SparkSession
from recorded import attempts_of, events_of, job_seconds, list_schedule, longer_s
from standalone import executor_on, host_of_executor

WORKERS = [f"127.0.1.{10 + number}" for number in range(4)]
CORES = 2
SLOTS = len(WORKERS) * CORES
SIGMA = 0.1


def nap_of(seed, job, side, task, seconds):
    """How long a task sleeps: about `seconds`, and always as long in a draw."""
    return seconds * math.exp(random.Random(f"{seed} {job} {side} {task}").gauss(0, SIGMA))


def napping(naps, host=None, factor=1):
    """What the tasks of a stage do: each sleeps as listed, `factor` times as long on the host."""

    def nap(rows):
        seconds = naps[pyspark.TaskContext.get().partitionId()]
        time.sleep(seconds * factor if host is not None and host_of_executor() == host else seconds)
        return rows

    return nap


class Kind:
    """An application in which something goes wrong, as a seed draws it."""

    settings = {}
    executors = len(WORKERS)

    def __init__(self, seed):
        self.seed = seed
        self.draw = random.Random(f"{type(self).__name__} {seed}")

    def run(self, context):
        raise NotImplementedError

    def injected_s(self, log):
        """The seconds of response that it cost."""
        raise NotImplementedError

    def naps(self, job, side, tasks, seconds):
        return [nap_of(self.seed, job, side, task, seconds) for task in range(tasks)]


def warm(context):
    """What any application does first: workers of Python start, and learn to shuffle."""
    for _ in range(2):
        two_stages(context, [0.2] * 2 * SLOTS, [0.2] * 2 * SLOTS)


# Stages of `warm`.
WARM = 4


def two_stages(context, maps, reduces, **slow):
    """A shuffle whose tasks sleep as listed."""
    rows = context.parallelize(range(len(maps) * 10), len(maps)).mapPartitions(
        napping(maps, **slow)
    )
    keyed = rows.map(lambda row: (row % len(reduces), 1)).partitionBy(len(reduces))
    keyed.mapPartitions(napping(reduces, **slow)).count()


class Clean(Kind):
    """Nothing goes wrong."""

    def run(self, context):
        warm(context)
        for job in range(2):
            two_stages(context, self.naps(job, "map", 32, 3), self.naps(job, "reduce", 24, 3))

    def injected_s(self, log):
        return 0


class SleepingDriver(Kind):
    """The driver sleeps between two jobs."""

    def __init__(self, seed):
        super().__init__(seed)
        self.seconds = self.draw.uniform(35, 45)

    def run(self, context):
        warm(context)
        for job in range(2):
            two_stages(context, self.naps(job, "map", 24, 2), self.naps(job, "reduce", 16, 2))
            if job == 0:
                time.sleep(self.seconds)

    def injected_s(self, log):
        return self.seconds


class KilledExecutor(Kind):
    """An executor is killed while readers run, and with it the outputs that they read."""

    def __init__(self, seed):
        super().__init__(seed)
        self.victim = self.draw.choice(WORKERS)
        self.after_s = self.draw.uniform(3, 9)

    def run(self, context):
        warm(context)
        maps, reduces = self.naps(0, "map", 24, 7), self.naps(0, "reduce", 24, 5)
        two_stages(context, maps, reduces)
        threading.Thread(target=self.kill, args=(context,), daemon=True).start()
        two_stages(context, maps, reduces)

    def kill(self, context):
        # The reading stage of the second job.
        while WARM + 3 not in context.statusTracker().getActiveStageIds():
            time.sleep(0.05)
        time.sleep(self.after_s)
        os.kill(executor_on(self.victim), signal.SIGKILL)

    def injected_s(self, log):
        *_, unharmed, harmed = job_seconds(log)
        return harmed - unharmed


class TaskTooMany(Kind):
    """Three stages of nine tasks, on eight slots."""

    def __init__(self, seed):
        super().__init__(seed)
        self.seconds = self.draw.uniform(9, 13)

    def run(self, context):
        warm(context)
        for _ in range(3):
            naps = [self.seconds] * (SLOTS + 1)
            context.parallelize(range(len(naps)), len(naps)).mapPartitions(napping(naps)).count()

    def injected_s(self, log):
        """Two waves, where as much work on all slots takes 9/8 of one."""
        stages = [[took for _, took, _, _ in own] for own in attempts_of(log).values()][WARM:]
        return sum(list_schedule(own, [0] * SLOTS) - sum(own) / SLOTS for own in stages)


class HotKey(Kind):
    """One key has many times the records of any other, and each record takes its time."""

    maps, record_s = 16, 0.0015

    def __init__(self, seed):
        super().__init__(seed)
        self.keys = 16
        self.records = 1500
        self.times = self.draw.randrange(15, 22)
        self.hot = self.draw.randrange(self.keys)

        noise = random.Random(seed)
        self.even = [int(self.records * math.exp(noise.gauss(0, 0.03))) for _ in range(self.keys)]

    def run(self, context):
        warm(context)
        skewed = [n * (self.times if key == self.hot else 1) for key, n in enumerate(self.even)]
        for counts in (self.even, skewed):
            self.count_keys(context, counts)

    def count_keys(self, context, counts):
        maps, record_s = self.maps, self.record_s

        def rows_of(index, _):
            draw = random.Random(index)
            for key, count in enumerate(counts):
                for _ in range(count // maps):
                    yield key, f"{draw.random()} {draw.random()}"

        def work(rows):
            count = sum(1 for _ in rows)
            time.sleep(count * record_s)
            return [count]

        rows = context.parallelize(range(maps), maps).mapPartitionsWithIndex(rows_of)
        rows.partitionBy(self.keys, lambda key: key).mapPartitions(work).collect()

    def injected_s(self, log):
        more = self.even[self.hot] * (self.times - 1) * self.record_s
        hot = (WARM + 3, self.hot)

        def extra_s(stage, _, __, index):
            return more if (stage, index) == hot else 0

        return longer_s(log, extra_s, SLOTS)


class GarbageCollection(Kind):
    """Some tasks collect all garbage after each row, on a heap of many small objects."""

    # One task at a time on an executor: no neighbour's time in the collector counts as its own.
    settings = {"spark.task.cpus": str(CORES)}
    cached = 1_500_000

    def __init__(self, seed):
        super().__init__(seed)
        self.rows = self.draw.randrange(24, 36)
        self.tasks = 24
        self.harmed = sorted(self.draw.sample(range(self.tasks), 4))

    def run(self, context):
        session = SparkSession(context)
        live = session.range(0, self.cached, 1, len(WORKERS)).selectExpr(
            "cast(id as string) as text"
        )
        kept_rows = live._jdf.javaRDD().cache()
        kept_rows.count()
        for harmed in ([], [], self.harmed):
            row = f"id div {self.rows} in ({','.join(map(str, harmed)) or -1})"
            collect = "reflect('java.lang.System', 'gc')"
            nap = "reflect('java.lang.Thread', 'sleep', cast(60 as bigint))"
            rows = session.range(0, self.tasks * self.rows, 1, self.tasks)
            rows.selectExpr(nap, f"if({row}, {collect}, '')").write.format("noop").mode(
                "overwrite"
            ).save()

    def injected_s(self, log):
        *_, unharmed, harmed = job_seconds(log)
        return harmed - unharmed


class SlowHost(Kind):
    """Each task of one host takes some times as long."""

    def __init__(self, seed):
        super().__init__(seed)
        self.victim = self.draw.choice(WORKERS)
        self.factor = self.draw.uniform(2.5, 3.5)
        self.stages = [
            self.naps(job, side, tasks, 4)
            for job in range(2)
            for side, tasks in (("map", 40), ("reduce", 24))
        ]

    def run(self, context):
        for maps, reduces in (self.stages[:2], self.stages[2:]):
            two_stages(context, maps, reduces, host=self.victim, factor=self.factor)

    def injected_s(self, log):
        def extra_s(stage, _, host, index):
            return self.stages[stage][index] * (self.factor - 1) if host == self.victim else 0

        return longer_s(log, extra_s, SLOTS)


class ColdStart(Kind):
    """Each Python worker loads a model before its first task."""

    def __init__(self, seed):
        super().__init__(seed)
        self.seconds = self.draw.uniform(24, 32)

    def run(self, context):
        naps, load_s = self.naps(0, "map", 64, 1.5), self.seconds

        def work(rows):
            if not hasattr(pyspark, "model"):
                time.sleep(load_s)
                pyspark.model = "loaded"
            return napping(naps)(rows)

        context.parallelize(range(len(naps)), len(naps)).mapPartitions(work).count()

    def injected_s(self, log):
        """With what the start of an executor costs anyway: what its first tasks took longer."""
        naps = self.naps(0, "map", 64, 1.5)
        [own] = attempts_of(log).values()
        usual = statistics.median(took - naps[index] for _, took, _, index in own[SLOTS:])

        def extra_s(_, order, __, index):
            return own[order][1] - naps[index] - usual if order < SLOTS else 0

        return longer_s(log, extra_s, SLOTS)


class FailingTask(Kind):
    """One task of a single wave fails twice with an exception, after some seconds."""

    def __init__(self, seed):
        super().__init__(seed)
        self.seconds = self.draw.uniform(11, 15)
        self.task = self.draw.randrange(SLOTS)

    def run(self, context):
        warm(context)
        naps, failing, after_s = self.naps(0, "map", SLOTS, 4), self.task, self.seconds

        def work(rows):
            task = pyspark.TaskContext.get()
            if task.partitionId() == failing and task.attemptNumber() < 2:
                time.sleep(after_s)
                raise ValueError(f"line {failing * 1000 + 17} has 4 fields where 5 are due")
            return napping(naps)(rows)

        context.parallelize(range(SLOTS), SLOTS).mapPartitions(work).count()

    def injected_s(self, log):
        """What the task ended later than the others: its nap is that of any."""
        own = attempts_of(log)[WARM]
        ends = [at + took * 1000 for at, took, _, index in own if index != self.task]
        return (max(at + took * 1000 for at, took, _, _ in own) - max(ends)) / 1000


class LateExecutors(Kind):
    """An application begins with one executor, and gets the others some seconds later."""

    executors = 1

    def __init__(self, seed):
        super().__init__(seed)
        self.seconds = self.draw.randrange(15, 25)
        self.settings = {
            "spark.dynamicAllocation.enabled": "true",
            "spark.dynamicAllocation.shuffleTracking.enabled": "true",
            "spark.dynamicAllocation.initialExecutors": "1",
            "spark.dynamicAllocation.minExecutors": "1",
            "spark.dynamicAllocation.maxExecutors": str(len(WORKERS)),
            "spark.dynamicAllocation.schedulerBacklogTimeout": f"{self.seconds}s",
            "spark.dynamicAllocation.sustainedSchedulerBacklogTimeout": "1s",
            "spark.dynamicAllocation.executorIdleTimeout": "300s",
        }

    def run(self, context):
        naps = self.naps(0, "map", 64, 1.5)
        context.parallelize(range(CORES), CORES).mapPartitions(napping([0.2] * CORES)).count()
        context.parallelize(range(len(naps)), len(naps)).mapPartitions(napping(naps)).count()

    def injected_s(self, log):
        """What the second job would take less if all slots were there when it began."""
        events = events_of(log)
        jobs = [event for event in events if event["Event"] == "SparkListenerJobStart"]
        begun = jobs[1]["Submission Time"]
        late = [
            max(0, event["Timestamp"] - begun) / 1000
            for event in events
            if event["Event"] == "SparkListenerExecutorAdded"
            for _ in range(CORES)
        ]
        own = [took for _, took, _, _ in attempts_of(log)[1]]
        return list_schedule(own, late) - list_schedule(own, [0] * SLOTS)


KINDS = {
    "clean": Clean,
    "sleeping-driver": SleepingDriver,
    "killed-executor": KilledExecutor,
    "task-too-many": TaskTooMany,
    "hot-key": HotKey,
    "garbage-collection": GarbageCollection,
    "slow-host": SlowHost,
    "cold-start": ColdStart,
    "failing-task": FailingTask,
    "late-executors": LateExecutors,
}
