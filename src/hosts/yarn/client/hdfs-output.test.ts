import { lookup } from "node:dns";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Fate, SmallWebHdfs } from "../../../../test/support/small-web-hdfs.ts";
import { HdfsOutput } from "./hdfs-output.ts";
import { WebClient } from "./web-client.ts";
import { WebHdfs } from "./web-hdfs.ts";

const ACCEPTED = "/user/ann/.broomwagon/runs/r1/accepted";
const REPLACED = "/data/.out.replaced-r1";
const OURS = { "/data/out/_SUCCESS": "", "/data/out/part-00000": "ours" };
const EARLIER = { "/data/out/_SUCCESS": "", "/data/out/part-00000": "earlier" };
const KEPT = { [`${REPLACED}/_SUCCESS`]: "", [`${REPLACED}/part-00000`]: "earlier" };

let small: SmallWebHdfs;
let hdfs: WebHdfs;
let warned: string[];

beforeEach(async () => {
  small = new SmallWebHdfs();
  const services = [await small.start()];
  hdfs = new WebHdfs({ client: new WebClient(lookup, "ann"), services });
  small.put(`${ACCEPTED}/part-00000`, "ours");
  warned = [];
});
afterEach(() => small.close());

/** A run's directory, when all its parts are in their places. */
const commit = (overwrite: boolean): Promise<void> =>
  new HdfsOutput(hdfs, "/data/out", { overwrite }).commit(ACCEPTED, {
    run: "r1",
    warn: (line) => warned.push(line),
  });

const putEarlier = (): void => {
  for (const [path, text] of Object.entries(EARLIER)) small.put(path, text);
};

/** The outcomes of renames to some places. */
const renamesTo = (fates: Readonly<Record<string, Fate>>): void => {
  small.fate = (operation, _, to) => (operation === "RENAME" && fates[to]) || "well";
};

test("the output appears as a whole, and replaces an existing one if requested", async () => {
  await commit(false);
  expect(small.files("/data")).toEqual(OURS);
  small.put(`${ACCEPTED}/part-00000`, "again");
  await expect(commit(false)).rejects.toThrow("the output directory exists");
  await commit(true);
  expect(small.files("/data")).toEqual({ ...OURS, "/data/out/part-00000": "again" });
  expect(warned).toEqual([]);
});

test.each([
  ["/data/out/a.txt", "/data/out", "it holds the input file /data/out/a.txt"],
  ["/data/in/a.txt", "/data", "it lies inside the input directory /data"],
  ["/data/in/a.txt", "/data/in", undefined],
  ["/data/in/a.txt", "/data/*", undefined],
])("an output beside the input %s of %s: refused is %j", async (file, named, why) => {
  small.put(file, "read");
  const checked = new HdfsOutput(hdfs, "/data/out", { overwrite: true }).check([file], [named]);
  if (why === undefined) await checked;
  else await expect(checked).rejects.toThrow(`this cannot be the output: ${why}`);
});

test("of two runs into one output, the second adds nothing to the first's output", async () => {
  small.fate = (_, from) => {
    if (from === ACCEPTED) putEarlier();
    return "well";
  };
  await expect(commit(false)).rejects.toMatchObject({ code: "output-exists" });
  expect(small.files("/data")).toEqual(EARLIER);
});

test("an output that appears during a replacement stays, and the earlier one is kept", async () => {
  putEarlier();
  small.fate = (_, from) => {
    if (from === ACCEPTED) small.put("/data/out/part-00000", "other");
    return "well";
  };
  await expect(commit(true)).rejects.toThrow(REPLACED);
  expect(small.files("/data")).toEqual({ "/data/out/part-00000": "other", ...KEPT });
});

test("after a lost answer, the client looks where the files are", async () => {
  putEarlier();
  renamesTo({ [REPLACED]: "answer-lost", "/data/out": "answer-lost" });
  await commit(true);
  expect(small.files("/data")).toEqual(OURS);
  expect(warned).toEqual([]);
});

test("a refused rename leaves the earlier output in its place", async () => {
  putEarlier();
  let refusals = 1;
  small.fate = (_, __, to) => (to === "/data/out" && refusals-- > 0 ? "refused" : "well");
  await expect(commit(true)).rejects.toThrow("AccessControlException");
  expect(small.files("/data")).toEqual(EARLIER);
});

test("an earlier output that cannot be put back is kept, and its place reported", async () => {
  putEarlier();
  renamesTo({ "/data/out": "refused" });
  await expect(commit(true)).rejects.toThrow(`the earlier output is kept in ${REPLACED}`);
  await hdfs.remove("/user/ann/.broomwagon/runs/r1");
  expect(small.files("/data")).toEqual(KEPT);
});

test("a replaced output that cannot be removed causes a warning", async () => {
  putEarlier();
  small.fate = (operation) => (operation === "DELETE" ? "refused" : "well");
  await commit(true);
  expect(small.files("/data")).toEqual({ ...OURS, ...KEPT });
  expect(warned).toEqual([expect.stringContaining(REPLACED)]);
});
