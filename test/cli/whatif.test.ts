import { expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

const MIN_RUNTIME = "speculation.minTaskRuntimeMs=200";
const SPARK = "fixtures/spark/two-workers.ndjson";

const whatif = (...args: readonly string[]) => whatifAt(100, ...args);

async function whatifAt(width: number, ...args: readonly string[]) {
  const shell = paperShell(width);
  const code = await runProgram(["whatif", ...args], shell);
  return { code, out: shell.out.text, err: shell.err.text };
}

test("whatif: the answer comes before the gate, and the gate before the rows", async () => {
  const { code, out } = await whatif(SPARK, "--try", "none,spark-4", "--seeds", "3");
  expect(code).toBe(0);
  const places = [
    "No policy would have helped by more than chance.",
    "The recorded job, simulated under its own policy (spark-4), takes 108 s",
    "If the job runs again:",
    "In that very run:",
    "(rho) is unknown",
  ].map((text) => out.indexOf(text));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThanOrEqual(0);
  expect(out.match(/^none +/gm)).toHaveLength(2);
});

test("whatif fits into 60 columns", async () => {
  const { out } = await whatifAt(60, SPARK, "--try", "none,late", "--seeds", "2");
  expect(out.split("\n").filter((text) => text.length > 60)).toEqual([]);
});

test("whatif -o json has gate, baseline and rows", async () => {
  const { out } = await whatif(
    SPARK,
    "--try",
    "none",
    "--seeds",
    "2",
    "--rho",
    "0.5",
    "-o",
    "json",
  );
  expect(JSON.parse(out)).toMatchObject({
    schema: "broomwagon/whatif@1",
    baseline: "spark-4",
    baselineSettings: ["speculation.multiplier=1.5", "speculation.quantile=0.3", MIN_RUNTIME],
    seeds: 2,
    gate: { verdict: "good" },
    rho: { from: "flag", value: 0.5 },
    rows: [
      {
        policy: "none",
        byAttempt: { rho: 0.5 },
        thatRun: { byAttempt: { rho: 0.5 }, isRough: false },
        placebo: 0,
      },
    ],
  });
});

test("--set changes the disciplines that have the parameter, or is an error", async () => {
  const asked = ["--try", "none,spark-4", "--seeds", "2", "--set"];
  const { code, out } = await whatif(SPARK, ...asked, "speculation.multiplier=1.2", "-o", "json");
  expect(code).toBe(0);
  const policies = JSON.parse(out).rows.map(({ policy }: { policy: string }) => policy);
  expect(policies).toEqual(["none", "spark-4 (multiplier=1.2)"]);
  const wrong = await whatif(SPARK, ...asked, "speculation.multipler=1.2");
  expect([wrong.code, wrong.err]).toEqual([
    2,
    "error: --set speculation.multipler=1.2: no policy of none, spark-4 has this parameter; did " +
      "you mean speculation.multiplier?\n",
  ]);
});

test("an unknown policy or a bad share is refused before anything runs", async () => {
  expect((await whatif(SPARK, "--try", "lat")).code).toBe(2);
  expect((await whatif(SPARK, "--rho", "2")).code).toBe(2);
});

test("where the simulator does not reproduce the record, the answer is no", async () => {
  const args = ["test/replay/yarn/mantri-copies.ndjson", "--try", "none", "--seeds", "2"];
  const { code, out } = await whatif(...args);
  expect(code).toBe(1);
  expect(out).toMatch(/^No answer: .*\(-15\.\d %\): beyond 15 %, so/ms);
  expect(out).not.toContain("In that very run");
  expect((await whatif(...args, "--anyway")).out).toContain("In that very run");
});

test("a job of maps alone runs beside slots for reduces", async () => {
  const maps = "test/replay/yarn/esplash-copies.ndjson";
  const { code, out } = await whatif(maps, "--try", "none", "--seeds", "2");
  expect(code).toBe(0);
  expect(out).toContain("under its own policy (esplash)");
});

test("without copies that very run takes longer by what the diagnosis says of them", async () => {
  const history = ["fixtures/pairs/engine/late.ndjson.gz"];
  const asked = ["--try", "none", "--seeds", "2", "--rho", "0", "-o", "json"];
  const [row] = JSON.parse((await whatif(...history, ...asked)).out).rows;
  const shell = paperShell(100);
  await runProgram(["why", ...history, "-o", "json"], shell);
  const { copies } = JSON.parse(shell.out.text);
  const { ms } = row.thatRun.byAttempt;
  expect(ms).toBeGreaterThanOrEqual(copies.lowMs);
  expect(ms).toBeLessThanOrEqual(copies.highMs);
});

test("on another cluster the first line is about the cluster", async () => {
  const args = ["fixtures/hadoop/json.jhist", "--try", "none", "--seeds", "2"];
  const { code, out } = await whatif(...args, "--slots", "1");
  expect(code).toBe(0);
  expect(out).toContain("With 1 slot a node, the job under its own policy would take ");
  expect(out).not.toContain("In that very run");
  expect((await whatif(...args, "--slots", "1", "--advise")).code).toBe(2);
});

test("--advise names settings of the system that ran the job, or why it names none", async () => {
  const { out } = await whatif(SPARK, "--try", "none", "--seeds", "4", "--advise");
  expect(out).toMatch(/^(Set spark\.speculation\.|No advice: )/m);
});

test("each of several histories has a line, and an unreadable one has the reason", async () => {
  const { code, out } = await whatif(
    ...["fixtures/spark/two-workers.ndjson", "README.md", "--try", "none", "--seeds", "2"],
  );
  expect(code).toBe(0);
  expect(out).toMatch(/^app-\S+ +110 s +-1\.\d % +No policy/m);
  expect(out).toContain("not read: README.md");
});
