import { RunError, type RunEvent } from "broomwagon/engine";
import { REGISTRY } from "broomwagon/policies";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { sentenceOf } from "../../src/cli/display/sentence.ts";
import type { Fault } from "../../src/model/fault.ts";
import { runsAll } from "../support/cases.ts";
import { gated, gatedReduce } from "./support/jobs.ts";
import { journalOf, recomputed } from "./support/journal.ts";
import { disciplineOf, only, type Ran, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 4, bytes: 60_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

/** A run that has not ended by this time waits for ever. */
const LONG_MS = 120_000;
/** By this time maps, copies or reduces wait at their gate, on a machine that is not too busy. */
const FAULT_MS = 1_500;

const FAULTS = {
  "a node killed": { kind: "kill", at: FAULT_MS, node: "n2" },
  "a tracker dead": { kind: "kill", at: FAULT_MS, node: "n2", what: "tracker" },
  "outputs lost": { kind: "lose-outputs", at: FAULT_MS, node: "n2" },
  "a node slow": { kind: "slow", at: FAULT_MS, node: "n2", factor: 4 },
} as const satisfies Readonly<Record<string, Fault>>;

/** What waits at the gate during the fault. */
const MOMENTS = {
  maps: () => gated({ gate: workshop.gate, tasks: "true" }),
  copies: () => gated({ gate: workshop.gate, tasks: "ctx.task >= 4" }),
  reduces: () => gatedReduce(workshop.gate),
} as const;

type FaultName = keyof typeof FAULTS;
type Moment = keyof typeof MOMENTS;

interface Row {
  readonly discipline: string;
  readonly fault: FaultName;
  readonly moment: Moment;
  readonly sets?: readonly string[];
}

/** Runs the job with the fault; if the job does not end, the error says what it waits for. */
async function runWith({ discipline, fault, moment, sets = [] }: Row): Promise<Ran> {
  const job = workshop.job("gated", MOMENTS[moment]());
  const told: RunEvent[] = [];
  const isKill = FAULTS[fault].kind === "kill";
  const run = workshop.run(job, {
    nodes: 4,
    // Disciplines that copy outputs need a second rack.
    racks: 2,
    splitBytes: 32 * 1024,
    discipline: disciplineOf(discipline, [...expiry(discipline), ...sets]),
    faults: [FAULTS[fault]],
    signal: AbortSignal.timeout(LONG_MS),
    onEvent(event) {
      told.push(event);
      if (isKill && event.kind === "node-lost") workshop.openGate();
      if (!isKill && event.kind === "fault") setTimeout(() => workshop.openGate(), 300);
    },
  });
  const ran = await run.catch((error: unknown) => {
    if (!(error instanceof RunError) || error.result.outcome !== "killed") throw error;
    const waits = only(told, "waiting").map((event) => sentenceOf(event)?.text);
    throw new Error(`not over after ${LONG_MS} ms: ${waits.slice(-4).join("; ")}`);
  });
  await workshop.checkOutput(job);
  return ran;
}

/** A silent node is lost after less than a second. */
function expiry(name: string): readonly string[] {
  const known = REGISTRY.disciplines.find((one) => one.name === name);
  const adapts = known?.detection === "adaptive-expiry";
  return ["detection.expiryMs=800", ...(adapts ? ["detection.expiryMsMin=800"] : [])];
}

describe("a node that dies while reduces run, with a reduce that must be run again", () => {
  // The budget is spent at once, so the policy recomputes nothing on its own.
  test.each(["mantri", "mantri-protection"])("under %s", async (discipline) => {
    const sets = ["data.recomputeBudget=1e-9"];
    const ran = await runWith({ discipline, fault: "a node killed", moment: "reduces", sets });
    expect(only(ran.events, "outputs-lost")).not.toEqual([]);
    const lines = journalOf(ran.result.journal);
    expect(recomputed(lines)).not.toEqual([]);
    expect(lines.filter(({ event }) => event === "fetch-failed")).not.toEqual([]);
  });
});

const faults = Object.keys(FAULTS) as readonly FaultName[];
const moments = Object.keys(MOMENTS) as readonly Moment[];
const disciplines = REGISTRY.disciplines.map(({ name }) => name);

/**
 * With `TESTS=all` every discipline, which takes 20 minutes. Otherwise one discipline each, in
 * turn.
 */
function rows(): readonly Row[] {
  const pairs = faults.flatMap((fault) => moments.map((moment) => ({ fault, moment })));
  if (runsAll) {
    return disciplines.flatMap((discipline) => pairs.map((pair) => ({ discipline, ...pair })));
  }
  const step = 7;
  return pairs.map((pair, i) => ({
    discipline: disciplines[(i * step) % disciplines.length] ?? "none",
    ...pair,
  }));
}

describe("a job ends, with the right output", () => {
  test.each(rows())("under $discipline: $fault while $moment run", async (row) => {
    await runWith(row);
  });
});
