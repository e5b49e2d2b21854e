import { spawn } from "node:child_process";
import { archiveFlags } from "./class-archive.ts";
import type { Cluster } from "./cluster.ts";
import { JVM_FLAGS } from "./configuration.ts";

/** How Hadoop's own client ended. */
export interface ClientEnd {
  readonly code: number | null;
  /** All that it printed. */
  readonly said: string;
}

/** A job that Hadoop's own client submitted: a main class of any jar, with its arguments. */
export class HadoopJob {
  /** `application_1700000000000_0001`; fails if the client ends before it has submitted it. */
  readonly application: Promise<string>;
  readonly ended: Promise<ClientEnd>;
  /** What the client has printed so far. */
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
    // Who waits for its end alone must not be told twice that it went wrong.
    this.application.catch(() => {});
  }
}

/** What Hadoop calls the one job of the application. */
export const jobOf = (application: string): string => application.replace("application", "job");
