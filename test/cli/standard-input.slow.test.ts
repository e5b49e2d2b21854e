import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { zip } from "../support/zip.ts";
import { lz4Stream, snappyStream, zstdFrame } from "./support/compressions.ts";

const bin = fileURLToPath(new URL("../../bin/broomwagon.js", import.meta.url));
const HISTORY = "fixtures/spark/two-workers.ndjson";
const log = readFileSync(HISTORY);

function broomwagon(args: readonly string[], input?: Uint8Array) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    ...(input !== undefined && { input }),
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

const kept = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith("broomwagon-history-"));

test.each([
  ["nothing", log],
  ["gzip", gzipSync(log)],
  ["zstd", zstdFrame(log)],
  ["lz4", lz4Stream(log)],
  ["snappy", snappyStream(log)],
])("why - reads standard input that is compressed with %s as it reads a file", (_, stored) => {
  const flags = ["--no-intervals"];
  const before = kept();
  const piped = broomwagon(["why", "-", ...flags], stored);
  const { status, stdout, stderr } = broomwagon(["why", HISTORY, ...flags]);
  const next = [`npx broomwagon whatif ${HISTORY}`, "... | npx broomwagon whatif -"] as const;
  expect(stdout).toContain(next[0]);
  expect(piped).toEqual({ status, stdout: stdout.replace(...next), stderr });
  expect(status).toBe(0);
  expect(kept().filter((name) => !before.includes(name))).toEqual([]);
});

test("a compressed standard input that is cut off is read as far as it goes, with a note", () => {
  const cut = gzipSync(log).subarray(0, -100);
  const { status, stdout } = broomwagon(["why", "-", "--no-intervals"], cut);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^note: standard input.*: expected a whole gzip file, found its end/m);
});

test.each(["whatif", "report", "compare"])("%s reads a compressed standard input, too", (name) => {
  const others = { whatif: ["--try", "none", "--seeds", "2"], report: ["--out", "/dev/null"] };
  const more = name === "compare" ? [HISTORY] : (others[name as keyof typeof others] ?? []);
  const { status, stderr } = broomwagon([name, "-", ...more], gzipSync(log));
  expect([status, stderr]).toEqual([0, ""]);
});

test("an empty standard input is an error with its place", () => {
  const { status, stderr } = broomwagon(["why", "-"], new Uint8Array(0));
  expect([status, stderr]).toEqual([3, "error: -: the file is empty\n"]);
});

test("why - reads a zip archive from standard input; one that is cut off is refused", () => {
  const piped = broomwagon(["why", "-", "--no-intervals"], zip({ "app-1": log }));
  const { status, stdout } = broomwagon(["why", HISTORY, "--no-intervals"]);
  expect([piped.status, piped.stderr]).toEqual([status, ""]);
  expect(piped.stdout.split("\n")[0]).toBe(stdout.split("\n")[0]);
  const cut = broomwagon(["why", "-"], zip({ "app-1": log }).subarray(0, 2_000));
  expect([cut.status, cut.stdout]).toEqual([3, ""]);
  expect(cut.stderr).toMatch(/^error: -: expected a zip archive of event logs: .*\n$/);
});
