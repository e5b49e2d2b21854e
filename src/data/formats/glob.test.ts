import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { DataPathBench } from "../../../test/support/data-path.ts";
import { globFiles, type Tree, type TreeEntry } from "./glob.ts";
import { localTree } from "./local-tree.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());

const FILES = [
  ...["/a.txt", "/b.gz", "/_SUCCESS", "/.hidden", "/[x].txt", "/part (1).csv", "/été"],
  ...["/logs/1.log", "/logs/deep/2.log", "/logs/_tmp/3.log", "/logs/deep/.crc", "/logs/😀"],
];

/** A disk as a list of paths, like HDFS; it records which directories are listed. */
class PaperTree implements Tree<TreeEntry> {
  readonly listed: string[] = [];

  absolute(path: string): string {
    return join("/", path);
  }

  async find(path: string): Promise<TreeEntry | undefined> {
    if (FILES.includes(path)) return { path, isDirectory: false };
    const isDirectory = FILES.some((file) => file.startsWith(`${path}/`));
    return isDirectory ? { path, isDirectory } : undefined;
  }

  async list(path: string): Promise<readonly TreeEntry[]> {
    this.listed.push(path);
    const start = join(path, "/");
    const below = FILES.filter((file) => file.startsWith(start));
    const names = new Set(below.map((file) => file.slice(start.length).split("/")[0]));
    const found = await Promise.all([...names].map((name) => this.find(`${start}${name}`)));
    return found.filter((entry) => entry !== undefined);
  }
}

/** The same files on this machine's disk. */
function disk(): string {
  const root = bench.directory();
  for (const file of FILES) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "");
  }
  return root;
}

const paths = (files: readonly TreeEntry[]) => [...new Set(files.map(({ path }) => path))].sort();

describe("a pattern names the same files on a disk and on HDFS:", () => {
  const root = disk();
  test.each<readonly [string, ...string[]]>([
    ["*.txt", "/[x].txt", "/a.txt"],
    ["[x].txt", "/[x].txt"],
    ["?.txt", "/a.txt"],
    ["logs/?", "/logs/😀"],
    ["[a-b].{txt,gz}", "/a.txt", "/b.gz"],
    ["[!a].gz", "/b.gz"],
    ["part (?).*", "/part (1).csv"],
    ["ét?", "/été"],
    ["_*", "/_SUCCESS"],
    [".hid*", "/.hidden"],
    ["logs", "/logs/1.log", "/logs/deep/2.log", "/logs/😀"],
    ["l*", "/logs/1.log", "/logs/deep/2.log", "/logs/😀"],
    ["logs/*/2.log", "/logs/deep/2.log"],
    ["logs/_*/*", "/logs/_tmp/3.log"],
    ["**/*.log", "/logs/1.log", "/logs/deep/2.log"],
    ["{a.txt,logs/{1,deep/2}.log}", "/a.txt", "/logs/1.log", "/logs/deep/2.log"],
    ["{a.txt,logs/../b.gz}", "/a.txt", "/b.gz"],
    ["a.txt/*"],
    ["none/*/x"],
  ])("%s", async (pattern, ...files) => {
    expect(paths(await globFiles(new PaperTree(), pattern))).toEqual(files);
    const found = paths(await globFiles(localTree(root), pattern));
    expect(found).toEqual(files.map((file) => join(root, file)));
  });
});

test("** matches each file below", async () => {
  expect(paths(await globFiles(new PaperTree(), "**"))).toEqual([
    ...["/[x].txt", "/a.txt", "/b.gz", "/logs/1.log", "/logs/deep/2.log", "/logs/😀"],
    ...["/part (1).csv", "/été"],
  ]);
});

test("only directories that a pattern can lead through are listed", async () => {
  const tree = new PaperTree();
  await globFiles(tree, "logs/*/2.log");
  expect(tree.listed).toEqual(["/logs"]);
});

test("links are followed, but not by **, and one that leads nowhere is no match", async () => {
  const root = bench.inputs({ "a.txt": "" });
  const other = bench.inputs({ "b.txt": "" });
  symlinkSync(other, join(root, "link"));
  symlinkSync("nowhere", join(root, "lost"));
  const found = async (pattern: string) => paths(await globFiles(localTree(root), pattern));
  expect(await found("l*/b.txt")).toEqual([join(root, "link/b.txt")]);
  expect(await found("l*")).toEqual([join(root, "link/b.txt")]);
  expect(await found("**/b.txt")).toEqual([]);
});
