"""A cluster of Spark on this machine, and event logs of it that name nothing of the machine.

A master and some workers, on addresses of their own: Spark copies no task on the host where it
runs, and takes executors of one host for neighbours.
"""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

import pyspark

SPARK_CLASS = str(pathlib.Path(pyspark.__file__).parent / "bin" / "spark-class")


class Cluster:
    """A master, and workers that start one after another."""

    def __init__(self, folder, master, port):
        self.folder, self.master, self.port = folder, master, port
        self.processes = []
        self.start("master.Master", "--host", master, "--port", str(port))

    @property
    def url(self):
        return f"spark://{self.master}:{self.port}"

    def start(self, name, *rest):
        process = subprocess.Popen(
            [SPARK_CLASS, f"org.apache.spark.deploy.{name}", "--webui-port", "0", *rest],
            start_new_session=True,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1"},
        )
        self.processes.append(process)
        return process

    def start_worker(self, host, cores):
        place = ["--host", host, "--work-dir", str(self.folder / host)]
        return self.start("worker.Worker", *place, "-c", str(cores), "-m", "1g", self.url)

    def stop(self):
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextlib.contextmanager
def cluster_of(master, workers, cores, port):
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(pathlib.Path(folder), master, port)
        try:
            for host in workers:
                cluster.start_worker(host, cores)
            yield cluster
        finally:
            cluster.stop()


def application(cluster, name, settings):
    """The context of an application whose log is one plain file, for `kept`."""
    settings = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": cluster.folder.as_uri(),
        # Both are on since Spark 4.0: here it is one file that is cleaned and packed below.
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.compress": "false",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.executor.memory": "512m",
        # Tasks find this file.
        "spark.executorEnv.PYTHONPATH": str(pathlib.Path(__file__).parent),
        # Small programs, many JVMs: compiling and collecting in parallel costs more than it gains.
        "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.driver.host": cluster.master,
        "spark.driver.bindAddress": cluster.master,
        **settings,
    }
    conf = pyspark.SparkConf().setAll(settings.items()).setAppName(name)
    return pyspark.SparkContext(cluster.url, conf=conf)


def await_executors(context, count):
    # The driver is one of those whose memory is known.
    while context._jsc.sc().getExecutorMemoryStatus().size() < count + 1:
        time.sleep(0.1)


def host_of_executor():
    """The host that the JVM above this process was told to have: for tasks, where this file is."""
    pid = os.getppid()
    while pid > 1:
        words = pathlib.Path(f"/proc/{pid}/cmdline").read_text().split("\0")
        if "--hostname" in words:
            return words[words.index("--hostname") + 1]
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
        pid = int(stat.rpartition(")")[2].split()[1])
    raise RuntimeError("no executor above this process")


def processes():
    """Parent and command line of each process."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            found[int(folder.name)] = (parent, (folder / "cmdline").read_text().split("\0"))
    return found


def executor_on(host):
    """The number of the process that is the executor of the host."""
    backend = "org.apache.spark.executor.CoarseGrainedExecutorBackend"
    return next(
        pid for pid, (_, words) in processes().items() if backend in words and host in words
    )


def cleaned(event):
    """The event without what names the machine: its paths, its user, the JVM's properties."""
    if event["Event"] == "SparkListenerEnvironmentUpdate":
        named = ("dir", "path", "java", "python", "submit")
        event["Spark Properties"] = {
            key: value
            for key, value in event["Spark Properties"].items()
            if not any(name in key.lower() for name in named)
        }
        kept = ("Event", "Spark Properties")
        event = {key: value if key in kept else {} for key, value in event.items()}
    if event["Event"] == "SparkListenerApplicationStart":
        event["User"] = "user"
    event.pop("Properties", None)
    text = json.dumps(event, separators=(",", ":"))
    for place in (pathlib.Path(__file__).parent, pathlib.Path(pyspark.__file__).parent):
        text = text.replace(str(place), "")
    return text


def kept(cluster, application_id):
    """The lines of an application's log that ended, cleaned."""
    log = cluster.folder / application_id
    return "".join(cleaned(json.loads(line)) + "\n" for line in log.read_text().splitlines())
