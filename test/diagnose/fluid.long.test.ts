import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import type { Why } from "../../src/diagnose/document.ts";
import { diagnose } from "../../src/diagnose/why.ts";
import type { TraceJob } from "../../src/history/model.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { paperShell } from "../cli/support/screen.ts";
import { drawFluid, fluidCluster } from "../evidence/simulated/fluid.ts";
import { Dice } from "./support/dice.ts";

const WORLDS = Number(process.env.FLUID_WORLDS ?? 36);
const folder = mkdtempSync(join(tmpdir(), "broomwagon-fluid-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The trouble in a simulated world, in which attempts share disks, cores and links. */
type Wrong = "slow" | "nothing" | "skew" | "load";

/** A sort or a count of random size on a random cluster, without copies. */
function scenarioOf(seed: number, wrong: Wrong, isHealed: boolean): object {
  const dice = new Dice(1_000 + seed);
  const drawn = drawFluid(dice);
  const { nodes, slots, map } = drawn;
  // Drawn in any case: both runs of a pair must have the same world.
  const skew = dice.between(0.4, 0.8);
  const sigma = wrong === "skew" && !isHealed ? skew : 0.001;
  const reduce = {
    kind: "reduce",
    partitionWeight: { kind: "lognormal", median: 1, sigma },
    cpuBytesPerMs: Math.round(dice.between(8_000, 30_000)),
  };
  const slow = {
    kind: "slow",
    at: 0,
    node: `m-${dice.whole(0, nodes - 1)}`,
    factor: dice.between(1.8, 4.3),
  };
  const load = {
    kind: "load",
    at: 0,
    node: slow.node,
    processes: dice.whole(2, 6) * slots,
    writers: dice.whole(1, 4),
  };
  const faults = wrong === "slow" ? [slow] : wrong === "load" ? [load] : [];
  const waves = nodes * slots;
  return {
    name: "fluid",
    about: "a generated world",
    cluster: fluidCluster(drawn),
    jobs: [
      {
        name: "sort",
        phases: [
          { name: "map", slots: ["map"], tasks: dice.whole(5, 9) * waves, work: map },
          {
            name: "reduce",
            slots: ["reduce"],
            tasks: dice.whole(1, 3) * waves,
            after: [{ phase: "map" }],
            work: reduce,
          },
        ],
      },
    ],
    faults: isHealed ? [] : faults,
    study: { seeds: 1, disciplines: [{ discipline: "none" }] },
  };
}

/** The job, read from its journal. */
async function runOf(seed: number, wrong: Wrong, isHealed: boolean): Promise<TraceJob> {
  const name = join(folder, `${wrong}-${seed}-${isHealed}`);
  writeFileSync(`${name}.json`, JSON.stringify(scenarioOf(seed, wrong, isHealed)));
  const shell = paperShell();
  const args = ["simulate", `${name}.json`, "--seeds", "1", "--journal", `${name}.ndjson`];
  expect([await runProgram(args, shell), shell.err.text]).toEqual([0, ""]);
  const [job] = (await openTrace(`${name}.ndjson`)).jobs;
  if (job === undefined) throw new Error("no job");
  return job;
}

interface Judged {
  /** The error of the diagnosis about the gain of mending the cause, as a share of the response. */
  readonly error: number;
  readonly slowNodes: number;
}

async function judge(seed: number, wrong: Wrong, cause: Why["causes"][number]["cause"]) {
  const job = await runOf(seed, wrong, false);
  const found = diagnose({ notes: [] }, job, { intervals: false, audit: false });
  if (found.kind !== "why") throw new Error(found.kind);
  const { why } = found;
  const alone = why.causes.find((row) => row.cause === cause)?.aloneMs ?? Number.NaN;
  const healed = wrong === "nothing" ? job : await runOf(seed, wrong, true);
  const truth = why.responseMs - (healed.endedAt - healed.submittedAt);
  const slowNodes = why.nodes.filter(({ verdict }) => verdict === "slow" || verdict === "lasting");
  return { error: (alone - truth) / why.responseMs, slowNodes: slowNodes.length };
}

const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => (a < b ? -1 : 1))[Math.floor(q * (values.length - 1))] ?? Number.NaN;

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

describe("in the fluid simulator, which is not the generator", () => {
  const judged = new Map<Wrong, readonly Judged[]>();
  beforeAll(async () => {
    const all = async (wrong: Wrong, count: number, cause: Parameters<typeof judge>[2]) => {
      const rows: Judged[] = [];
      for (let seed = 1; seed <= count; seed++) rows.push(await judge(seed, wrong, cause));
      judged.set(wrong, rows);
      const errors = rows.map(({ error }) => Math.abs(error));
      const bias = rows.reduce((sum, { error }) => sum + error, 0) / rows.length;
      const both = `p50 ${percent(quantile(errors, 0.5))}, p90 ${percent(quantile(errors, 0.9))}`;
      console.log(`${wrong}: ${both}, bias ${percent(bias)} of the response`);
    };
    await all("slow", Math.round((WORLDS * 2) / 3), "node");
    await all("nothing", Math.round(WORLDS / 3), "node");
    await all("skew", Math.round((WORLDS * 2) / 3), "bytes");
    await all("load", Math.round((WORLDS * 2) / 3), "node");
  });
  const errors = (wrong: Wrong): readonly number[] =>
    (judged.get(wrong) ?? []).map(({ error }) => Math.abs(error));

  test("mending the slow node gives the gain that the diagnosis predicts", () => {
    expect(quantile(errors("slow"), 0.5)).toBeLessThanOrEqual(0.02);
    expect(quantile(errors("slow"), 0.9)).toBeLessThanOrEqual(0.06);
  });

  test("no node is slow where none was slowed", () => {
    const rows = judged.get("nothing") ?? [];
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ slowNodes }) => slowNodes)).toEqual(rows.map(() => 0));
  });

  test("even partitions give the gain that the diagnosis predicts", () => {
    expect(quantile(errors("skew"), 0.5)).toBeLessThanOrEqual(0.02);
    expect(quantile(errors("skew"), 0.9)).toBeLessThanOrEqual(0.06);
  });

  test("a node without other programs gives the gain that the diagnosis predicts", () => {
    expect(quantile(errors("load"), 0.5)).toBeLessThanOrEqual(0.02);
    expect(quantile(errors("load"), 0.9)).toBeLessThanOrEqual(0.06);
  });
});
