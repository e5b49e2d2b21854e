import { mkdirSync, writeFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { archiveFlags } from "./class-archive.ts";
import { everyJar } from "./jars.ts";
import { type ClusterPlan, master, places, workersOf } from "./plan.ts";

/** Small heaps, one collector thread, quick starts: ten JVMs share a small machine. */
export const JVM_FLAGS: readonly string[] = [
  "-XX:+UseSerialGC",
  "-XX:TieredStopAtLevel=1",
  "-Djava.net.preferIPv4Stack=true",
];

type Properties = Readonly<Record<string, string | number | boolean>>;

/**
 * Writes the files that daemons and clients read: the directory is a complete `HADOOP_CONF_DIR`.
 */
export function writeConfiguration(plan: ClusterPlan): void {
  const { configuration } = places(plan.directory);
  // The published jar of HDFS lacks its pages, and its servers will not start without directories.
  for (const page of ["hdfs", "datanode"]) {
    mkdirSync(join(configuration, "webapps", page), { recursive: true });
  }
  const files: Readonly<Record<string, string>> = {
    hosts: hosts(plan),
    racks: racks(plan),
    "core-site.xml": xml(core(plan)),
    "hdfs-site.xml": xml(hdfs(plan)),
    "yarn-site.xml": xml(yarn(plan)),
    "mapred-site.xml": xml(mapred(plan)),
    "capacity-scheduler.xml": xml(CAPACITY),
    "log4j.properties": LOG4J,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(configuration, name), text);
}

/**
 * The file for `-Djdk.net.hosts.file`, which replaces the host names of each JVM: no system file
 * changes, and root is not needed.
 */
function hosts(plan: ClusterPlan): string {
  const machines = [master(plan), ...workersOf(plan)];
  const lines = machines.map(({ name, address }) => `${address} ${name}\n`);
  return `127.0.0.1 localhost ${hostname()}\n${lines.join("")}`;
}

/** By address, since Hadoop resolves names before it looks up their racks. */
const racks = (plan: ClusterPlan): string =>
  workersOf(plan)
    .map(({ address, rack }) => `${address} ${rack}\n`)
    .join("");

const core = (plan: ClusterPlan): Properties => ({
  "fs.defaultFS": `hdfs://${master(plan).name}:8020`,
  "hadoop.tmp.dir": places(plan.directory).scratch,
  "hadoop.http.staticuser.user": userInfo().username,
  "net.topology.node.switch.mapping.impl": "org.apache.hadoop.net.TableMapping",
  "net.topology.table.file.name": join(places(plan.directory).configuration, "racks"),
});

const hdfs = (plan: ClusterPlan): Properties => ({
  "dfs.namenode.name.dir": `file://${join(places(plan.directory).hdfs, "name")}`,
  "dfs.namenode.http-address": `${master(plan).name}:9870`,
  "dfs.replication": Math.min(2, plan.workers),
  // Even small files have several blocks, and even a small job several maps.
  "dfs.blocksize": 4 * 1024 * 1024,
  "dfs.namenode.fs-limits.min-block-size": 65_536,
  // The NameNode sees all DataNodes at one address, so names and ports distinguish them.
  "dfs.client.use.datanode.hostname": true,
  "dfs.datanode.use.datanode.hostname": true,
  "dfs.namenode.safemode.extension": 0,
  "dfs.namenode.safemode.min.datanodes": 1,
});

const yarn = (plan: ClusterPlan): Properties => ({
  "yarn.resourcemanager.hostname": master(plan).name,
  // By address, so that users can open the page without the cluster's host names.
  "yarn.resourcemanager.webapp.address": `${master(plan).address}:8088`,
  ...(plan.scheduler === "fair" ? FAIR : {}),
  "yarn.scheduler.minimum-allocation-mb": 128,
  "yarn.nodemanager.resource.memory-mb": 1536,
  "yarn.nodemanager.resource.cpu-vcores": 4,
  "yarn.nodemanager.vmem-check-enabled": false,
  "yarn.nodemanager.aux-services": "mapreduce_shuffle",
  "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage": 99,
  "yarn.nodemanager.env-whitelist": "JAVA_HOME,JDK_JAVA_OPTIONS,PATH,LANG,TZ,HADOOP_CONF_DIR",
  "yarn.application.classpath": classPath(plan).join(","),
  // A node's death is noticed in seconds, not in ten minutes. The death of an ApplicationMaster
  // alone is reported by its node; its expiry is longer, since its start counts and a small machine
  // may be busy.
  "yarn.nm.liveness-monitor.expiry-interval-ms": 10_000,
  "yarn.am.liveness-monitor.expiry-interval-ms": 60_000,
  // The return of a ResourceManager is also noticed in seconds: by default NodeManagers ask twice a
  // minute.
  "yarn.resourcemanager.connect.retry-interval.ms": 1_000,
  "yarn.client.nodemanager-connect.max-wait-ms": 5_000,
  "yarn.client.nodemanager-connect.retry-interval-ms": 1_000,
  "yarn.nodemanager.sleep-delay-before-sigkill.ms": 250,
  "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms": 250,
});

/**
 * Without these the scheduler takes the user `root` for a queue, and gives each container at least
 * 1 GB.
 */
const FAIR: Properties = {
  "yarn.resourcemanager.scheduler.class":
    "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler",
  "yarn.scheduler.fair.user-as-default-queue": false,
  "yarn.resource-types.memory-mb.increment-allocation": 128,
};

const CAPACITY: Properties = {
  "yarn.scheduler.capacity.root.queues": "default",
  "yarn.scheduler.capacity.root.default.capacity": 100,
  "yarn.scheduler.capacity.maximum-am-resource-percent": 0.5,
};

const mapred = (plan: ClusterPlan): Properties => ({
  "mapreduce.framework.name": "yarn",
  "mapreduce.application.classpath": classPath(plan).join(","),
  "mapreduce.jobhistory.address": `${master(plan).name}:10020`,
  "mapreduce.jobhistory.admin.address": `${master(plan).name}:10034`,
  "mapreduce.jobhistory.webapp.address": `${master(plan).name}:19888`,
  "mapreduce.jobhistory.move.interval-ms": 2_000,
  // Clients poll more often, and so see each job's end sooner.
  "mapreduce.client.progressmonitor.pollinterval": 250,
  "mapreduce.client.completion.pollinterval": 250,
  // The shuffle binds all addresses, so each node must take another port.
  "mapreduce.shuffle.port": 0,
  "yarn.app.mapreduce.am.resource.mb": 512,
  "yarn.app.mapreduce.am.admin-command-opts": containerFlags(),
  "yarn.app.mapreduce.am.command-opts": "-Xmx320m",
  "yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms": 250,
  "mapreduce.map.memory.mb": 384,
  "mapreduce.reduce.memory.mb": 384,
  "mapreduce.admin.map.child.java.opts": containerFlags(),
  "mapreduce.admin.reduce.child.java.opts": containerFlags(),
  "mapred.child.java.opts": "-Xmx128m",
  "mapreduce.task.io.sort.mb": 32,
  "mapreduce.task.progress-report.interval": 1_000,
  "mapreduce.job.reduce.slowstart.completedmaps": 0.8,
});

/**
 * The class path of daemons, containers and clients; the jars come first, as the archive of classes
 * requires.
 */
export const classPath = (plan: ClusterPlan): readonly string[] => [
  everyJar(),
  places(plan.directory).configuration,
];

/** MapReduce puts the container's own directory first, where the archive requires the jars. */
const containerFlags = (): string =>
  [...JVM_FLAGS, ...archiveFlags(), "-cp", `${everyJar()}:$CLASSPATH`].join(" ");

/** Suppresses each JVM's warning that there are no native libraries: Maven brings none. */
const LOG4J = `log4j.rootLogger=INFO,console
log4j.logger.org.apache.hadoop.util.NativeCodeLoader=ERROR
log4j.appender.console=org.apache.log4j.ConsoleAppender
log4j.appender.console.target=System.err
log4j.appender.console.layout=org.apache.log4j.PatternLayout
log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
`;

function xml(properties: Properties): string {
  const lines = Object.entries(properties).map(
    ([name, value]) => `  <property><name>${name}</name><value>${value}</value></property>\n`,
  );
  return `<?xml version="1.0"?>\n<configuration>\n${lines.join("")}</configuration>\n`;
}
