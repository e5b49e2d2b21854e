import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { REGISTRY } from "../../src/policy/registry.ts";
import { paperShell } from "./support/screen.ts";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function broomwagon(...args: readonly string[]) {
  const shell = paperShell();
  const code = await runProgram(args, shell);
  return { code, out: shell.out.text, err: shell.err.text };
}

/** The user's mistakes: the exit code, and one line with the place and what was expected. */
const MISTAKES: readonly [args: readonly string[], code: number, says: RegExp][] = [
  [["simulat"], 2, /unknown command 'simulat'\n\(Did you mean simulate\?\)/],
  [["policies", "--jsno"], 2, /unknown option '--jsno'\n\(Did you mean --json\?\)/],
  [
    ["policies", "mantr"],
    2,
    /^error: policies mantr: neither a discipline nor .*mean mantri, .* or .*\? `broom/,
  ],
  [["policies", "-o", "xml"], 2, /Allowed choices are table, json/],
  [["run", "job.ts", "--output", "out", "--nodes", "0"], 2, /Expected a whole number, 1 to 256/],
  [["run", "job.ts", "--reduces", "300000"], 2, /Expected a whole number, 1 to 65536/],
  [
    ["run", "job.ts", "--output", "-", "-o", "json"],
    2,
    /--output -: expected no -o json: standard output carries the job's output/,
  ],
  [["submit", "job.ts", "--reduces", "65537"], 2, /Expected a whole number, 1 to 65536/],
  [["run", "job.ts", "--task-timeout", "90"], 2, /Expected a time with its unit, such as 90s/],
  [["serve", "--task-timeout", "10ms"], 2, /Expected a time with its unit, .* 1s or more/],
  [
    ["run", "job.ts", "--output", "out", "--slow", "n7=2"],
    2,
    /^error: --slow n7=2: expected a node/,
  ],
  [["run", "job.ts", "--output", "out", "--discipline", "lat"], 2, /lat.*did you mean late/],
  [
    ["run", "job.ts", "--output", "out", "--set", "speculation.speculativeCup=1"],
    2,
    /has no parameter speculativeCup.*did you mean speculation\.speculativeCap/,
  ],
  [
    ["run", "job.ts", "--output", "out", "--set", "speculation.speculativeCap=much"],
    2,
    /is a number from 0 to 1 \(default 0\.1\), found much/,
  ],
  [
    ["run", "job.ts", "--output", "out", "--chaos", "no.json"],
    3,
    /no\.json: expected a file to read/,
  ],
  [
    ["run", "job.ts", "--output", "out", "--discipline", "late,data=foo"],
    2,
    /^error: --discipline late,data=foo: no data policy foo; known: none, .*\n$/,
  ],
  [
    ["run", "job.ts", "--output", "out", "--discipline", ""],
    2,
    /no discipline ""; `broomwagon policies` lists all\n$/,
  ],
  [
    ["run", "job.ts", "--output", "out", "--discipline", "late-0.2"],
    2,
    /no discipline late-0\.2; did you mean late-0\.21\? `broomwagon policies` lists all\n$/,
  ],
  [
    ["run", "job.ts", "--output", "out", "--set", "speculation.cap=1"],
    2,
    /has no parameter cap; known: .*; did you mean speculation\.speculativeCap\?\n$/,
  ],
  [
    ["simulate", "scenarios/late-5.4.3.json", "--discipline", "foo"],
    2,
    /^error: --discipline foo: no discipline foo/,
  ],
  [
    ["simulate", "scenarios/late-5.4.3.json", "--set", "speculation.slowTaskThreshold=300"],
    2,
    /^error: --set speculation\.slowTaskThreshold=300: .* is a number from 0 to 100 .*found 300\n$/,
  ],
  [["simulate", "no.json"], 3, /^error: no\.json: expected a file to read: no such file\n$/],
  [["replay", "no.ndjson"], 3, /^error: no\.ndjson: expected a file to read: no such file\n$/],
  [["replay", "."], 3, /expected a file, found a directory/],
];

describe("a mistake is one clear line and its exit code", () => {
  test.each(MISTAKES)("%j", async (args, code, says) => {
    const told = await broomwagon(...args);
    expect(told.err).toMatch(says);
    expect(told.err).not.toMatch(/\n\s+at /);
    expect(told.code).toBe(code);
    expect(told.out).toBe("");
  });

  test("a malformed scenario names the file and the path in it", async () => {
    const path = written("scenario.json", JSON.stringify({ name: "x", cluster: { nodes: [] } }));
    const { code, err } = await broomwagon("simulate", path);
    expect(err).toMatch(/^error: .*scenario\.json: \S+: expected .*\n$/);
    expect(code).toBe(3);
  });

  test("invalid JSON names the file", async () => {
    const { code, err } = await broomwagon("simulate", written("broken.json", "{"));
    expect(err).toMatch(/^error: .*broken\.json: expected JSON: .*\n$/);
    expect(code).toBe(3);
  });

  test("an error in a fault file names the fault", async () => {
    const faults = [
      { kind: "slow", at: 0, node: "n1", factor: 2 },
      { kind: "kil", at: 0, node: "n1" },
    ];
    const path = written("faults.json", JSON.stringify(faults));
    const { code, err } = await broomwagon("run", "job.ts", "--output", "x", "--chaos", path);
    expect(err).toMatch(/faults\.json:1: \[1\]\.kind: expected .*kill/);
    expect(code).toBe(3);
  });

  test("an unknown node in a fault file brings the list of nodes", async () => {
    const path = written(
      "node.json",
      JSON.stringify([{ kind: "kill", at: 0, node: "n5" }], null, 2),
    );
    const { code, err } = await broomwagon("run", "job.ts", "--output", "x", "--chaos", path);
    expect(err).toMatch(/node\.json:2: \[0\] \(kill\): expected a node from n1 to n4, found n5/);
    expect(code).toBe(3);
  });

  test("a fault that the engine's nodes cannot have is refused with its line", async () => {
    const load = { kind: "load", at: 0, node: "n1", processes: 2 };
    const faults = [{ kind: "kill", at: 9, node: "n1" }, load];
    const path = written("scenario.json", JSON.stringify({ faults }, null, 2));
    const { code, err } = await broomwagon("run", "job.ts", "--output", "x", "--chaos", path);
    expect(err).toMatch(/scenario\.json:8: \[1\] \(load\): only the simulator does this/);
    expect(code).toBe(3);
  });

  test("a node that the scenario lacks brings the list of nodes", async () => {
    const faults = [{ kind: "slow", at: 0, node: "Z", factor: 2 }];
    const path = written("nodes.json", JSON.stringify(faults));
    const scenario = "scenarios/late-5.4.3.json";
    const { code, err } = await broomwagon("simulate", scenario, "--chaos", path);
    expect(err).toMatch(/nodes\.json:1: \[0\] \(slow\)\.node: expected one of fast-0, .*found "Z"/);
    expect(code).toBe(3);
  });

  test("a journal that is cut off names its line", async () => {
    const { code, err } = await broomwagon("replay", written("cut.ndjson", '{"journal":"broom'));
    expect(err).toMatch(/^error: .*cut\.ndjson.*1.*\n$/);
    expect(code).toBe(3);
  });
});

describe("policies", () => {
  test("are one line per discipline, also at 80 columns", async () => {
    const shell = paperShell(80);
    await runProgram(["policies"], shell);
    const [, , ...lines] = shell.out.text.split("\n\n")[0]?.split("\n") ?? [];
    expect(lines.map((line) => line.split(" ")[0])).toEqual(
      REGISTRY.disciplines.map(({ name }) => name),
    );
    expect(lines[3]).toMatch(/^late +copies the task that would end last +LATE, OSDI 2008$/);
    for (const line of shell.out.text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("--all names every policy with its source, parameters and defaults", async () => {
    const { code, out } = await broomwagon("policies", "--all");
    expect(code).toBe(0);
    for (const text of ["late-0.21", "fifo-plain", "OSDI 2008", "speculativeCap", "60000"]) {
      expect(out).toContain(text);
    }
  });

  test("a discipline is shown with its policies, their pages and what they need", async () => {
    const { code, out } = await broomwagon("policies", "mantri");
    expect(code).toBe(0);
    const shown = [...out.matchAll(/^ {2}([a-z0-9.-]+): /gm)].map((match) => match[1]);
    expect(shown).toEqual([
      "fifo-plain",
      "largest-first",
      "mantri",
      "mantri-placement",
      "mantri-protect",
      "mantri",
      "fixed-expiry",
    ]);
    expect(out).toContain("docs/papers/mantri.md");
    expect(out).toContain("    needs slot-offers\n    uses if present: kill-restart, kill-only\n");
  });

  test("a policy is shown alone, also as JSON", async () => {
    const { out } = await broomwagon("policies", "yarn-legacy", "-o", "json");
    const { disciplines, policies } = JSON.parse(out);
    expect(disciplines).toEqual([]);
    expect(policies).toMatchObject([
      { seat: "estimator", page: "docs/papers/yarn.md", needs: [], wants: [] },
    ]);
  });

  test("the data seat is described too, though only the core has it", async () => {
    const { out } = await broomwagon("policies", "--all");
    expect(out).toContain(
      "data: where should data be?\n  none: a lost output is made again at once",
    );
  });

  test("-o json prints the same as JSON and nothing else", async () => {
    const { out, err } = await broomwagon("policies", "-o", "json");
    const { schema, disciplines, policies } = JSON.parse(out);
    expect(schema).toBe("broomwagon/policies@1");
    expect(err).toBe("");
    expect(disciplines.map(({ name }: { name: string }) => name)).toContain("hadoop-paper");
    expect(policies).toContainEqual(
      expect.objectContaining({
        seat: "detection",
        name: "fixed-expiry",
        parameters: expect.arrayContaining([
          expect.objectContaining({ name: "expiryMs", default: 600_000 }),
        ]),
      }),
    );
  });
});

describe("simulate", () => {
  const SCENARIO = "scenarios/late-5.4.3.json";

  test("prints measured values beside published ones", async () => {
    const { code, out } = await broomwagon("simulate", SCENARIO);
    expect(code).toBe(0);
    expect(out).toMatch(/late without SlowNodeThreshold +348\.0 +348\.0/);
    expect(out).toMatch(/late +240\.0 +240\.0/);
  });

  test("one run has no interval, two have", async () => {
    const args = ["simulate", SCENARIO, "--discipline", "late"];
    const [one, two] = [await broomwagon(...args), await broomwagon(...args, "--seeds", "2")];
    expect(one.out).not.toContain("±");
    expect(one.out).not.toContain("interval");
    expect(two.out).toMatch(/late +240\.0 ± 0\.0/);
    expect(two.out).toContain("Mean of 2 runs and 95 % interval.");
  });

  test("prints a lower bound on the response time, if known", async () => {
    const drawn = ["scenarios/late-5.4.json", "--discipline", "none", "--seeds", "1"];
    const known = await broomwagon("simulate", SCENARIO);
    const unknown = await broomwagon("simulate", ...drawn);
    expect(known.out).toContain("Lower bound on the mean response of any schedule: 240.0 s.");
    expect(unknown.out).not.toContain("Lower bound");
  });

  test("-o json prints the rows and nothing else", async () => {
    const { out, err } = await broomwagon("simulate", SCENARIO, "-o", "json");
    expect(err).toBe("");
    const { name, lowerBoundMs, rows, schema } = JSON.parse(out);
    expect(schema).toBe("broomwagon/simulate@1");
    expect(name).toBe("late-5.4.3");
    expect(lowerBoundMs).toBe(240_000);
    expect(rows[1]).toMatchObject({ label: "late", responseMs: { mean: 240_000 }, stuck: 0 });
  });

  test("--discipline runs only its rows; --set and --seeds override the scenario", async () => {
    const args = ["--discipline", "late", "--set", "speculation.slowNodeThreshold=0"];
    const { out } = await broomwagon("simulate", SCENARIO, ...args, "--seeds", "2", "-o", "json");
    const { rows } = JSON.parse(out);
    expect(rows).toMatchObject([
      { label: "late without SlowNodeThreshold", seeds: 2, responseMs: { mean: 348_000 } },
      { label: "late", seeds: 2, responseMs: { mean: 348_000 } },
    ]);
  });

  test("--journal writes a journal that replays, with refusals under --explain", async () => {
    const path = join(folder, "sim.ndjson");
    const study = await broomwagon("simulate", SCENARIO, "--journal", path, "--explain");
    // The run that is recorded counts for the table.
    expect(study.out).toBe((await broomwagon("simulate", SCENARIO)).out);
    const { code, out } = await broomwagon("replay", path);
    expect(out).toContain("every line the same to the byte");
    expect(out).toMatch(/^ +\d+ {2}the attempt is not slow$/m);
    expect(code).toBe(0);
  });

  test("replay --svg draws the same from a journal as simulate from the run", async () => {
    const [journal, drawn, again] = ["bars.ndjson", "bars.svg", "again.svg"].map((name) =>
      join(folder, name),
    );
    const flags = ["--journal", journal ?? "", "--svg", drawn ?? ""];
    const chaos = join(folder, "slow.json");
    writeFileSync(chaos, '[{ "kind": "slow", "at": 0, "node": "*", "pick": 1, "factor": 2 }]');
    const chosen = ["--discipline", "none", "--seeds", "1", "--chaos", chaos];
    await broomwagon("simulate", SCENARIO, ...chosen, ...flags);
    const { code } = await broomwagon("replay", journal ?? "", "--svg", again ?? "");
    expect(code).toBe(0);
    const bars = (path = "") => readFileSync(path, "utf8").match(/<title>[^<]*original[^<]*/g);
    expect(bars(again)?.length).toBeGreaterThan(10);
    expect(bars(again)).toEqual(bars(drawn));
    const faults = (path = "") => readFileSync(path, "utf8").match(/<title>[^<]*slow ×2[^<]*/g);
    expect(faults(again)).toHaveLength(1);
    expect(faults(again)).toEqual(faults(drawn));
  });

  test("an unknown discipline of the scenario is reported with the scenario's name", async () => {
    const scenario = JSON.parse(readFileSync(SCENARIO, "utf8"));
    scenario.study.disciplines = [{ discipline: "latte" }];
    const { code, err } = await broomwagon(
      "simulate",
      written("latte.json", JSON.stringify(scenario)),
    );
    expect(err).toMatch(/^error: .*latte\.json: study\.disciplines: .*latte.*late.*\n$/);
    expect(code).toBe(2);
  });

  test("--svg draws the first run, as a whole file or not at all", async () => {
    const path = join(folder, "sim.svg");
    const { code } = await broomwagon("simulate", SCENARIO, "--seeds", "1", "--svg", path);
    expect(code).toBe(0);
    expect(readFileSync(path, "utf8")).toMatch(/^<svg .*<\/svg>\n$/s);
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  test.each([
    ["in no directory", join("missing", "sim.svg"), /no directory .*missing/],
    ["on a directory", ".", /expected a file to write: this is a directory/],
  ])("a picture %s names its path, and leaves nothing behind", async (_, name, says) => {
    const path = join(folder, name);
    const before = readdirSync(folder);
    const { code, err } = await broomwagon("simulate", SCENARIO, "--svg", path);
    expect(err).toMatch(/^error: --svg /);
    expect(err).toMatch(says);
    expect(code).toBe(2);
    expect(readdirSync(folder)).toEqual(before);
  });

  test("a journal that cannot be written names its path", async () => {
    const path = join(folder, "missing", "sim.ndjson");
    const { code, err } = await broomwagon("simulate", SCENARIO, "--journal", path);
    expect(err).toBe(`error: --journal ${path}: no directory ${join(folder, "missing")}\n`);
    expect(code).toBe(2);
  });
});

describe("on a terminal of 60 columns", () => {
  const commands = ["demo", "run", "resume", "serve", "submit", "jobs", "kill", "simulate"];

  test.each([...commands, "policies", "replay", "reproduce"])("%s --help fits", async (name) => {
    const shell = paperShell(60);
    await runProgram([name, "--help"], shell);
    for (const line of shell.out.text.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
  });

  test.each([
    ["simulate", "scenarios/late-5.4.3.json"],
    ["policies"],
    ["policies", "--all"],
    ["policies", "esplash"],
  ])("%s %s fits", async (...args) => {
    const shell = paperShell(60);
    await runProgram(args, shell);
    // A Java name may be longer, and stands alone.
    const lines = shell.out.text.split("\n").filter((line) => line.trim().includes(" "));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
  });
});
