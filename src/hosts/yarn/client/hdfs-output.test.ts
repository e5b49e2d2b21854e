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

/** Of a run, when all its parts are in their places. */
const commit = (overwrite: boolean): Promise<void> =>
  new HdfsOutput(hdfs, "/data/out", { overwrite }).commit(ACCEPTED, {
    run: "r1",
    warn: (line) => warned.push(line),
  });

const putEarlier = (): void => {
  for (const [path, text] of Object.entries(EARLIER)) small.put(path, text);
};

/** What becomes of the renames to some places. */
const renamesTo = (fates: Readonly<Record<string, Fate>>): void => {
  small.fate = (operation, _, to) => (operation === "RENAME" && fates[to]) || "well";
};

test("the output comes as a whole; one that is there is replaced if told so", async () => {
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

test("two runs into one output: nothing is added to what the first has written", async () => {
  small.fate = (_, from) => {
    if (from === ACCEPTED) putEarlier();
    return "well";
  };
  await expect(commit(false)).rejects.toMatchObject({ code: "output-exists" });
  expect(small.files("/data")).toEqual(EARLIER);
});

test("two that replace one output: what came between stays, what was is kept", async () => {
  putEarlier();
  small.fate = (_, from) => {
    if (from === ACCEPTED) small.put("/data/out/part-00000", "other");
    return "well";
  };
  await expect(commit(true)).rejects.toThrow(REPLACED);
  expect(small.files("/data")).toEqual({ "/data/out/part-00000": "other", ...KEPT });
});

test("an answer that is lost: it is looked where things lie", async () => {
  putEarlier();
  renamesTo({ [REPLACED]: "answer-lost", "/data/out": "answer-lost" });
  await commit(true);
  expect(small.files("/data")).toEqual(OURS);
  expect(warned).toEqual([]);
});

test("what is refused leaves the earlier output in its place", async () => {
  putEarlier();
  let refusals = 1;
  small.fate = (_, __, to) => (to === "/data/out" && refusals-- > 0 ? "refused" : "well");
  await expect(commit(true)).rejects.toThrow("AccessControlException");
  expect(small.files("/data")).toEqual(EARLIER);
});

test("where it cannot come back, it is kept and told", async () => {
  putEarlier();
  renamesTo({ "/data/out": "refused" });
  await expect(commit(true)).rejects.toThrow(`the earlier output is kept in ${REPLACED}`);
  await hdfs.remove("/user/ann/.broomwagon/runs/r1");
  expect(small.files("/data")).toEqual(KEPT);
});

test("what was replaced and cannot be removed is a warning", async () => {
  putEarlier();
  small.fate = (operation) => (operation === "DELETE" ? "refused" : "well");
  await commit(true);
  expect(small.files("/data")).toEqual({ ...OURS, ...KEPT });
  expect(warned).toEqual([expect.stringContaining(REPLACED)]);
});
