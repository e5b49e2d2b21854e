import { spawn } from "node:child_process";
import { archiveFlags } from "./class-archive.ts";
import type { Cluster } from "./cluster.ts";
import { JVM_FLAGS } from "./configuration.ts";

/** How Hadoop's own client ended. */
export interface ClientEnd {
  readonly code: number | null;
  /** Everything that the client printed. */
  readonly said: string;
}

/** A job that Hadoop's own client submits: a main class of any jar, with its arguments. */
export class HadoopJob {
  /** `application_1700000000000_0001`; rejects if the client ends before the submission. */
  readonly application: Promise<string>;
  readonly ended: Promise<ClientEnd>;
  /** The client's output so far. */
  said = "";

  constructor(cluster: Cluster, mainClass: string, args: readonly string[]) {
    const { JAVA_HOME, HADOOP_CLASSPATH = "" } = cluster.environment;
    const flags = ["-Xmx256m", ...JVM_FLAGS, ...archiveFlags()];
    const child = spawn(
      `${JAVA_HOME}/bin/java`,
      [...flags, "-cp", HADOOP_CLASSPATH, mainClass, ...args],
      { env: { ...process.env, ...cluster.environment }, stdio: ["ignore", "pipe", "pipe"] },
    );
    this.ended = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, said: this.said }));
    });
    this.application = new Promise((resolve, reject) => {
      const hear = (text: string): void => {
        this.said += text;
        const [, id] = /Submitted application (application_\d+_\d+)/.exec(this.said) ?? [];
        if (id !== undefined) resolve(id);
      };
      child.stdout.setEncoding("utf8").on("data", hear);
      child.stderr.setEncoding("utf8").on("data", hear);
      child.on("close", () => reject(new Error(`nothing was submitted:\n${this.said}`)));
    });
    // A caller that waits only for `ended` must not get an unhandled rejection.
    this.application.catch(() => {});
  }
}

/** Hadoop's name of the application's only job. */
export const jobOf = (application: string): string => application.replace("application", "job");
