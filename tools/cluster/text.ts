import type { Cluster, ClusterStatus } from "./cluster.ts";
import { DEFAULT_DIRECTORY } from "./plan.ts";

/** Instructions for a user who has just started a cluster. */
export function howToUse({ directory, places, pages, workers }: Cluster): string {
  const where = directory === DEFAULT_DIRECTORY ? "" : ` --dir ${directory}`;
  return [
    `${workers.length} workers are up.`,
    "",
    `  YARN      ${pages.resourceManager}`,
    `  HDFS      ${pages.nameNode}`,
    `  history   ${pages.historyServer}`,
    `  conf      ${places.configuration}`,
    `  logs      ${places.logs}, ${places.nodes}/*/log`,
    "",
    "In the shell that uses it:",
    "",
    `  set -a; . ${places.environment}; set +a`,
    '  java -cp "$HADOOP_CLASSPATH" org.apache.hadoop.fs.FsShell -ls /',
    '  java -cp "$HADOOP_CLASSPATH" org.apache.hadoop.fs.FsShell -put README.md /text.txt',
    "  npx broomwagon run examples/word-count.ts --on yarn --input /text.txt --output /counts",
    "",
    `It is in ${directory} until it is taken down: npm run cluster -- down${where}`,
  ].join("\n");
}

/** A line for each daemon that is gone, and one for each node. */
export function statusText(status: ClusterStatus): string {
  const { daemons, nodes, liveDataNodes, isWhole } = status;
  const gone = daemons.filter(({ pid }) => pid === undefined);
  const hdfs = liveDataNodes === undefined ? "HDFS does not answer" : `${liveDataNodes} DataNodes`;
  return [
    `${isWhole ? "whole" : "not whole"}: ${daemons.length - gone.length} of ${daemons.length} \
daemons run, ${hdfs}`,
    ...gone.map(({ name }) => `  ${name} is gone`),
    ...nodes.map(({ name, address, rack, state, slowed, containers }) => {
      const slow = slowed === 1 ? "" : `, slowed ${slowed} times`;
      const known = state ?? "unknown to YARN";
      return `  ${name}  ${address}  ${rack}  ${known}, ${containers.length} containers${slow}`;
    }),
  ].join("\n");
}
