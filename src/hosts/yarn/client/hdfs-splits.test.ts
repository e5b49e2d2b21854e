import { lookup } from "node:dns";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SmallWebHdfs } from "../../../../test/support/small-web-hdfs.ts";
import { planSplits } from "../../../data/index.ts";
import { csv, type Input, parquet } from "../../../job/index.ts";
import { planHdfsSplits } from "./hdfs-splits.ts";
import { WebClient } from "./web-client.ts";
import { WebHdfs } from "./web-hdfs.ts";

const root = { fileSystem: "hdfs://m1:8020", home: "/user/ann" };
let directory: string;
let small: SmallWebHdfs;
let hdfs: WebHdfs;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "broomwagon-splits-"));
  small = new SmallWebHdfs();
  const client = new WebClient(lookup, "ann");
  hdfs = new WebHdfs({ client, services: [await small.start()] });
});
afterAll(() => {
  small.close();
  rmSync(directory, { recursive: true });
});

/** The same file on this machine and on HDFS. */
function put(name: string, content: Buffer): void {
  writeFileSync(join(directory, name), content);
  small.put(`/in/${name}`, content);
}

async function bothPlans(input: Input<unknown>, name: string, splitBytes: number) {
  const into = join(directory, "looked");
  const query = { hdfs, root, input, splitBytes, onBadRecord: "fail", into } as const;
  const there = await planHdfsSplits({ ...query, paths: [`/in/${name}`] });
  const here = await planSplits({ input, paths: [name], from: directory, splitBytes });
  expect(existsSync(into)).toBe(false);
  // HDFS has no inodes, so the fields that identify a local file are left out.
  const named = here.splits.map(({ fileIdentity: _, ...split }) => ({
    ...split,
    file: `hdfs://m1:8020/in/${name}`,
  }));
  return { there, here: { ...here, splits: named } };
}

test("Parquet and CSV are cut where the embedded engine cuts them", async () => {
  const file = join(directory, "a.parquet");
  const duckdb = await (await DuckDBInstance.create()).connect();
  const rows = "SELECT i, hash(i) AS noise FROM range(20000) rows(i)";
  await duckdb.run(`COPY (${rows}) TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
  duckdb.closeSync();
  put("a.parquet", readFileSync(file));
  for (const splitBytes of [1, 50_000, 100_000_000]) {
    const { there, here } = await bothPlans(parquet(), "a.parquet", splitBytes);
    expect(there).toEqual(here);
    expect(there.splits.length).toBe(splitBytes === 1 ? 10 : there.splits.length);
  }
  put("a.csv", Buffer.from(`k,v\n${'1,"a\nb"\n'.repeat(500)}`));
  const { there, here } = await bothPlans(csv(), "a.csv", 1_000);
  expect(there).toEqual(here);
  expect(there.splits.length).toBeGreaterThan(3);
});

test.each(["PAR1", "no Parquet at all", "xxxx\u0009\u0000\u0000\u0000PAR1"])(
  "%j as Parquet: it is said of the file on HDFS",
  async (text) => {
    put("bad.parquet", Buffer.from(text));
    await expect(bothPlans(parquet(), "bad.parquet", 1)).rejects.toThrow(
      /^hdfs:\/\/m1:8020\/in\/bad.parquet: byte \d+: expected a whole Parquet file/,
    );
  },
);
