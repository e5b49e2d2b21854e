import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findHadoopClient, submit } from "./hadoop-client.ts";
import { HadoopConf } from "./hadoop-conf.ts";

let place: string;
let conf: HadoopConf;
/** An installation, and a directory of `PATH` with only a link to its command. */
let home: string;
let bin: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "broomwagon-client-"));
  writeFileSync(join(place, "core-site.xml"), "<configuration/>");
  conf = HadoopConf.read(place, {});
  [home, bin] = [join(place, "hadoop-3.5.0"), join(place, "bin")];
  for (const each of [bin, join(home, "bin")]) mkdirSync(each, { recursive: true });
  mkdirSync(join(home, "share/hadoop/tools/lib"), { recursive: true });
  writeFileSync(join(home, "bin/hadoop"), '#!/bin/sh\n[ "$5" = job ]\n', { mode: 0o755 });
  writeFileSync(streamingJar(), "");
  symlinkSync(join(home, "bin/hadoop"), join(bin, "hadoop"));
});
afterEach(() => rmSync(place, { recursive: true }));

const streamingJar = (): string => join(home, "share/hadoop/tools/lib/hadoop-streaming-3.5.0.jar");

test("the command hadoop, also as a link, submits with its installation's streaming", async () => {
  const args = ["--config", place, "jar", streamingJar()];
  const byPath = findHadoopClient(conf, { PATH: bin });
  expect(byPath).toEqual({ program: join(bin, "hadoop"), args });
  const byHome = findHadoopClient(conf, { HADOOP_HOME: home });
  expect(byHome).toEqual({ program: join(home, "bin/hadoop"), args });
  // An installation's command may be a link, while its jars are its own.
  const wrapper = join(place, "wrapper");
  renameSync(join(home, "bin/hadoop"), wrapper);
  symlinkSync(wrapper, join(home, "bin/hadoop"));
  expect(findHadoopClient(conf, { HADOOP_HOME: home })).toEqual(byHome);
  await submit(byPath, ["job"], {});
  await expect(submit(byPath, ["another"], {})).rejects.toThrow("expected Hadoop to take the job");
});

test("java comes first if its class path has streaming, and is skipped otherwise", () => {
  writeFileSync(join(bin, "java"), "");
  const lib = join(home, "share/hadoop/tools/lib/*");
  const java = findHadoopClient(conf, { PATH: bin, HADOOP_CLASSPATH: lib });
  expect(java.program).toBe(join(bin, "java"));
  expect(java.args.slice(-3, -1)).toEqual(["-cp", `${place}:${lib}`]);
  const other = findHadoopClient(conf, { PATH: bin, HADOOP_CLASSPATH: `${place}/*` });
  expect(other.program).toBe(join(bin, "hadoop"));
});

test("without either, the error says what was looked for", () => {
  rmSync(streamingJar());
  expect(() => findHadoopClient(conf, { PATH: bin })).toThrow("of an installation with streaming");
  expect(() => findHadoopClient(conf, {})).toThrow("HADOOP_CLASSPATH");
});
