/**
 * Makes the pair of the embedded engine: one job on four nodes, one of them slowed, without and
 * with copies. `node tools/pairs/engine.mjs fixtures/pairs/engine` after `npm run build`.
 */
import { spawnSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [, , out = "fixtures/pairs/engine"] = process.argv;

const MAPS = 48;
const MAP_BYTES = 30_000_000;
const CLUSTER = ["--nodes", "4", "--slots", "1", "--slow", "n2=6"];
/** Times are scaled to a job of seconds, as in `broomwagon demo`.
 * @type {Record<string, string[]>} */
const POLICIES = {
  none: [],
  late: ["--set", "speculation.runtimeMsMin=1000", "--set", "speculation.speculativeCap=0.25"],
};

const folder = mkdtempSync(join(tmpdir(), "broomwagon-pair-"));
try {
  const texts = join(folder, "texts");
  writeTexts(texts);
  mkdirSync(out, { recursive: true });
  for (const [discipline, sets] of Object.entries(POLICIES)) {
    const runs = join(folder, discipline);
    broomwagon(
      ...["run", "examples/word-count.ts", "--input", texts, "--output", join(runs, "output")],
      ...["--reduces", "1", ...CLUSTER],
      ...["--discipline", discipline, ...sets, "--run-dir", runs, "--quiet"],
    );
    const [id] = readdirSync(runs).filter((name) => /^\d+-\d+-/.test(name));
    if (id === undefined) throw new Error(`no run in ${runs}`);
    const journal = readFileSync(join(runs, id, "journal.ndjson"));
    writeFileSync(join(out, `${discipline}.ndjson.gz`), gzipSync(journal, { level: 9 }));
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {string[]} args */
function broomwagon(...args) {
  const { status } = spawnSync(process.execPath, ["bin/broomwagon.js", ...args], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`broomwagon ${args.join(" ")} ended with ${status}`);
}

/**
 * Lines of words; the files of all maps are one file.
 * @param {string} directory
 */
function writeTexts(directory) {
  let state = 1;
  /** @param {number} count */
  const below = (count) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x8000_0000) * count);
  };
  const letters = () => String.fromCharCode(...[26, 26, 26].map((count) => 97 + below(count)));
  const lines = Array.from({ length: 12_000 }, () =>
    Array.from({ length: 12 }, letters).join(" "),
  );
  const block = `${lines.join("\n")}\n`;
  mkdirSync(directory);
  const first = join(directory, "text-0");
  writeFileSync(first, block.repeat(Math.ceil(MAP_BYTES / block.length)));
  for (let map = 1; map < MAPS; map++) linkSync(first, join(directory, `text-${map}`));
}
