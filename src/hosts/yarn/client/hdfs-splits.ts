import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { InputError } from "../../../base/input-error.ts";
import { formatOf } from "../../../data/formats/formats.ts";
import type { OnBadRecord } from "../../../data/formats/malformed.ts";
import type { Split } from "../../../data/formats/split.ts";
import { cutFiles, type InputPlan } from "../../../data/formats/splits.ts";
import type { Input } from "../../../job/index.ts";
import { hdfsFiles } from "./hdfs-files.ts";
import type { HdfsRoot } from "./hdfs-path.ts";
import type { HdfsBlock, HdfsEntry, WebHdfs } from "./web-hdfs.ts";

/** A smaller file is one split. */
const CUT_FROM_BYTES = 4 * 1024 * 1024;
const COPY_BYTES = 64 * 1024 * 1024;

/**
 * Finds the input's files on HDFS and cuts them where the embedded engine would cut them, so that
 * the same tasks read the same records. Paths of splits begin with the file system's name.
 */
export async function planHdfsSplits(query: {
  readonly hdfs: WebHdfs;
  readonly root: HdfsRoot;
  readonly input: Input<unknown>;
  readonly paths: readonly string[];
  readonly splitBytes: number | undefined;
  readonly onBadRecord: OnBadRecord;
  /** A local directory for copies that must be looked at; the caller removes it. */
  readonly into: string;
}): Promise<InputPlan> {
  const { hdfs, root, input, splitBytes, onBadRecord, into } = query;
  const files = await hdfsFiles(hdfs, query.paths, root);
  const format = formatOf(input.format);
  const names = new Map<string, string>();
  const looked: { readonly path: string; readonly bytes: number }[] = [];
  for (const [index, file] of files.entries()) {
    const uri = `${root.fileSystem}${file.path}`;
    const isCut = file.bytes > (splitBytes ?? CUT_FROM_BYTES);
    const read = (start: number, end: number) => hdfs.read(file.path, { start, end });
    const from = await format.cutReads({ ...file, isCut, read });
    const copy = { into: join(into, String(index)), from };
    const path = from === undefined ? uri : await localCopy(hdfs, file, { ...copy, from });
    names.set(path, uri);
    looked.push({ path, bytes: file.bytes });
  }
  const bytes = splitBytes === undefined ? {} : { splitBytes };
  try {
    const plan = await cutFiles(looked, { input, onBadRecord, ...bytes });
    const splits = plan.splits.map((split) => ({ ...split, file: names.get(split.file) ?? "" }));
    return { ...plan, splits };
  } catch (error) {
    throw error instanceof InputError ? withTheirNames(error, names) : error;
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}

/**
 * A sparse file of the same length, with a hole before `from`. COST: reads the bytes from `from`
 * on, over one connection.
 */
async function localCopy(
  hdfs: WebHdfs,
  file: HdfsEntry,
  { into, from }: { readonly into: string; readonly from: number },
): Promise<string> {
  mkdirSync(into, { recursive: true });
  const path = join(into, basename(file.path));
  const handle = openSync(path, "w");
  try {
    for (let start = from; start < file.bytes; ) {
      const end = Math.min(start + COPY_BYTES, file.bytes);
      writeSync(handle, await hdfs.read(file.path, { start, end }), 0, end - start, start);
      start = end;
    }
    ftruncateSync(handle, file.bytes);
  } finally {
    closeSync(handle);
  }
  return path;
}

/** The error with the file's own name in place of its local copy's. */
function withTheirNames(error: InputError, names: ReadonlyMap<string, string>): InputError {
  const { code, place, message } = error;
  const [local, uri] = [...names].find(([path]) => place.startsWith(path)) ?? ["", ""];
  const expected = message.slice(`${place}: `.length);
  return new InputError(code, `${uri}${place.slice(local.length)}`, expected);
}

/** The hosts that hold the most of each split's bytes, best first. */
export async function hostsOfSplits(
  hdfs: WebHdfs,
  { fileSystem }: HdfsRoot,
  splits: readonly Split[],
): Promise<ReadonlyMap<Split, readonly string[]>> {
  const hosts = new Map<Split, readonly string[]>();
  const blocksOf = new Map<string, readonly HdfsBlock[]>();
  for (const split of splits) {
    const { file } = split;
    const blocks = blocksOf.get(file) ?? (await hdfs.blocks(file.slice(fileSystem.length)));
    blocksOf.set(file, blocks);
    const bytes = new Map<string, number>();
    for (const block of blocks) {
      const from = Math.max(split.start, block.start);
      const to = Math.min(split.end, block.start + block.bytes);
      if (from >= to) continue;
      for (const host of block.hosts) bytes.set(host, (bytes.get(host) ?? 0) + to - from);
    }
    const best = [...bytes].sort(([x, a], [y, b]) => (a === b ? (x < y ? -1 : 1) : a < b ? 1 : -1));
    hosts.set(
      split,
      best.slice(0, HOSTS_MAX).map(([host]) => host),
    );
  }
  return hosts;
}

/** The usual number of a block's replicas. */
const HOSTS_MAX = 3;
