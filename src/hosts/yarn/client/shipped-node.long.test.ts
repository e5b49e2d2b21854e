import { lookup } from "node:dns";
import { statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SmallWebHdfs } from "../../../../test/support/small-web-hdfs.ts";
import { shipNode } from "./shipped-node.ts";
import { WebClient } from "./web-client.ts";
import { WebHdfs } from "./web-hdfs.ts";

const NODE = "/user/ann/.broomwagon/node";
const DAY_MS = 24 * 60 * 60 * 1000;

let small: SmallWebHdfs;
let hdfs: WebHdfs;
const root = { fileSystem: "hdfs://m1:8020", home: "/user/ann" };

beforeEach(async () => {
  small = new SmallWebHdfs();
  const client = new WebClient(lookup, "ann");
  hdfs = new WebHdfs({ client, services: [await small.start()] });
});
afterEach(() => small.close());

const names = (): readonly string[] => Object.keys(small.files(NODE));

describe.skipIf(process.platform !== "linux")("a Node on HDFS", () => {
  test("that is incomplete is shipped again", async () => {
    const path = (await shipNode({ hdfs, root })).slice(root.fileSystem.length);
    const { size } = statSync(process.execPath);
    expect(await hdfs.find(path)).toMatchObject({ bytes: size });
    small.put(path, "half");
    await shipNode({ hdfs, root });
    expect(await hdfs.find(path)).toMatchObject({ bytes: size });
    expect(names()).toEqual([path]);
  });

  test("leaves nothing behind when its upload breaks off", async () => {
    small.fate = (operation) => (operation === "CREATE" ? "answer-lost" : "well");
    await expect(shipNode({ hdfs, root })).rejects.toThrow("expected a DataNode there");
    expect(names()).toEqual([]);
  });

  test("leaves nothing behind when the user aborts its upload", async () => {
    const interrupted = new AbortController();
    small.fate = (operation) => {
      if (operation === "CREATE") interrupted.abort();
      return "well";
    };
    await expect(shipNode({ hdfs, root }, interrupted.signal)).rejects.toThrow("aborted");
    expect(names()).toEqual([]);
  });

  test("left by a killed client is removed after a day, and not before", async () => {
    small.put(`${NODE}/old.coming`, "half", Date.now() - DAY_MS - 60_000);
    small.put(`${NODE}/young.coming`, "half", Date.now() - DAY_MS + 60_000);
    small.put(`${NODE}/node-of-old`, "whole", Date.now() - 2 * DAY_MS);
    const path = (await shipNode({ hdfs, root })).slice(root.fileSystem.length);
    expect(names()).toEqual([`${NODE}/node-of-old`, path, `${NODE}/young.coming`].sort());
  });
});
