import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HadoopConf } from "./hadoop-conf.ts";
import { type StreamingJob, streamingArgs } from "./streaming-args.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "broomwagon-args-"));
  const property = "<property><name>mapreduce.job.tags</name><value>site</value></property>";
  writeFileSync(join(directory, "core-site.xml"), `<configuration>${property}</configuration>`);
});
afterAll(() => rmSync(directory, { recursive: true }));

function argsOf({ node = "node", properties = [] }: Partial<StreamingJob>): readonly string[] {
  const text = { name: "job", tag: "ours", discipline: "late", node, jar: "a.jar" };
  const uris = { tasks: "t", output: "o", journal: "j", jobFile: "f", names: "n", shipment: "s" };
  const conf = HadoopConf.read(directory, {});
  const job = {
    conf,
    reduces: 0,
    pipeline: true,
    speculate: { map: true, reduce: true },
    settings: [],
    files: [],
  };
  return streamingArgs({ ...job, ...text, ...uris, properties });
}

/** The value of a property for Hadoop, with the user's own properties. */
const told = (name: string, ...properties: readonly string[]): readonly string[] =>
  argsOf({ properties }).filter((arg) => arg.startsWith(`${name}=`));

test("the user's own properties win", () => {
  const name = "mapreduce.job.name";
  expect(told(name)).toEqual([`${name}=job`]);
  expect(told(name, `${name}=nightly`)).toEqual([`${name}=nightly`]);
});

test("except for the tag by which the application is found, and the master's class", () => {
  const [tags, options] = ["mapreduce.job.tags", "yarn.app.mapreduce.am.command-opts"];
  expect(told(tags)).toEqual([`${tags}=ours,site`]);
  expect(told(tags, `${tags}=nightly,b`)).toEqual([`${tags}=ours,nightly,b`]);
  const master = "broomwagon.yarn.BroomwagonAppMaster";
  expect(told(options, `${options}=-Xmx2g`)).toEqual([`${options}=-Xmx2g ${master}`]);
});

test.each([
  ["node", "node "],
  ["/opt/my node/bin/node", `"/opt/my node/bin/node" `],
  [`/opt/6" of node/node`, `'/opt/6" of node/node' `],
  ["/opt/ann's/node", `"/opt/ann's/node" `],
])("the path %s of Node is one word of the command", (node, beginning) => {
  const args = argsOf({ node });
  const command = args[args.indexOf("-mapper") + 1] ?? "";
  expect(command.startsWith(beginning)).toBe(true);
  // The ApplicationMaster starts its child without parsing a command.
  expect(args).toContain(`broomwagon.node=${node}`);
});

test("a path that cannot be quoted is refused", () => {
  expect(() => argsOf({ node: `/a"b'c/node` })).toThrow("--node-path");
});
