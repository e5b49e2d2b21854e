import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { decompress } from "fzstd";

/** A history that is whole: what `why` says of it is what a damaged one is held against. */
export interface History {
  readonly path: string;
  readonly format: Format;
  /** As the file holds them, perhaps compressed. */
  readonly bytes: Uint8Array;
  /** Without compression. */
  readonly plain: Uint8Array;
}

type Format = "spark" | "jhist" | "jhist-binary" | "jobtracker" | "rumen" | "journal";

export const SHARED = "../shared/data";

/** Larger ones take seconds for each answer. */
const BYTES_MAX = 1_500_000;

/** Histories of the repository, one of each format and compression at least. */
const OWN = [
  "fixtures/spark/two-workers.ndjson",
  "fixtures/pairs/spark/off.ndjson.zst",
  "fixtures/pairs/spark/on.ndjson.zst",
  "fixtures/hadoop/json.jhist",
  "fixtures/hadoop/binary.jhist",
  "fixtures/pairs/hadoop/late.jhist.gz",
  "fixtures/pairs/engine/late.ndjson.gz",
  "fixtures/page/demo.ndjson.gz",
];

export const ownHistories = (): readonly History[] => OWN.flatMap(historyAt);

/** None where the folder is absent. */
export const sharedHistories = (): readonly History[] =>
  existsSync(SHARED)
    ? filesIn(SHARED)
        .filter((path) => !NO_HISTORY.test(path))
        .flatMap(historyAt)
    : [];

const NO_HISTORY = /expectation|README|appstatus|licences|\/text\/|\/workloads\/|_conf\.xml|sls\//;

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]));
}

function historyAt(path: string): readonly History[] {
  const bytes = new Uint8Array(readFileSync(path));
  const plain = plainOf(bytes);
  const format = formatOf(plain);
  return format === undefined || plain.length > BYTES_MAX ? [] : [{ path, format, bytes, plain }];
}

function plainOf(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return new Uint8Array(gunzipSync(bytes));
  return bytes[0] === 0x28 && bytes[1] === 0xb5 ? decompress(bytes) : bytes;
}

function formatOf(plain: Uint8Array): Format | undefined {
  const start = Buffer.from(plain.subarray(0, 2_000)).toString("latin1");
  if (/^\{"Event"/.test(start)) return "spark";
  if (/^\{"journal"/.test(start)) return "journal";
  if (/Avro-Binary/.test(start)) return "jhist-binary";
  if (/Avro-Json/.test(start)) return "jhist";
  if (/^(Meta VERSION|!!FILE=)/.test(start)) return "jobtracker";
  return /^\s*\{[\s\S]*"job_?id"/i.test(start) ? "rumen" : undefined;
}
