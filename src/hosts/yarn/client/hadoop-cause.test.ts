import { expect, test } from "vitest";
import { causeIn } from "./hadoop-cause.ts";

/** Diagnostics of a map whose Node is missing, from Hadoop 3.5's history. */
const NO_PROGRAM = `Error: java.lang.RuntimeException: Error in configuring object
\tat org.apache.hadoop.util.ReflectionUtils.setJobConf(ReflectionUtils.java:117)
\tat java.base/java.security.AccessController.doPrivileged(AccessController.java:712)
Caused by: java.lang.reflect.InvocationTargetException
\tat java.base/jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)
\t... 9 more
Caused by: java.lang.RuntimeException: configuration exception
\tat org.apache.hadoop.streaming.PipeMapRed.configure(PipeMapRed.java:221)
\t... 23 more
Caused by: java.io.IOException: Cannot run program "/opt/my": error=2, No such file or directory
\tat java.base/java.lang.ProcessBuilder.start(ProcessBuilder.java:1143)
\t... 24 more
Caused by: java.io.IOException: error=2, No such file or directory
\tat java.base/java.lang.ProcessImpl.forkAndExec(Native Method)
\t... 26 more
`;

test.each([
  [
    NO_PROGRAM,
    'java.io.IOException: Cannot run program "/opt/my": error=2, No such file or directory',
  ],
  ["Error: x.Y: a\n\tat z\nCaused by: x.Z: b\n\tat z\nCaused by: x.W: c\n", "x.W: c"],
  ["Error: x.Y: a\nCaused by: x.Z: b\nCaused by: x.W\n", "x.W"],
  ["\nContainer exited\nwith 1", "Container exited"],
  ["  \n", "Hadoop does not say why"],
])("of %j the cause", (diagnostics, cause) => {
  expect(causeIn(diagnostics)).toBe(cause);
});
