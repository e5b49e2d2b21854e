import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Dice } from "../diagnose/support/dice.ts";
import { OF_EACH_ANSWER } from "./answers.ts";
import { type Answer, ask, type Told } from "./broomwagon.ts";
import { COVERED, covered, MISSED, NOTABLE } from "./covered.ts";
import type { Tally } from "./tally.ts";
import { runPlan } from "./worlds/dispatch.ts";
import { eventLog } from "./worlds/event-log.ts";
import { drawFaulty, FAULTS } from "./worlds/faults.ts";
import { drawPlan, INJECTED, type Plan } from "./worlds/plan.ts";
import { trueShares } from "./worlds/shares.ts";

export interface Worlds {
  readonly seed: number;
  readonly count: number;
  readonly keptIn?: string;
}

/** Half of the worlds have causes of attempts, the others a fault of the whole job. */
const FAULTY_EVERY = 2;

export async function tryWorlds({ seed, count, keptIn }: Worlds, tally: Tally): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-evidence-"));
  try {
    for (let n = 0; n < count; n++) {
      const own = seed * 100_003 + n;
      const isFaulty = n % FAULTY_EVERY === FAULTY_EVERY - 1;
      const fault = FAULTS[Math.floor(n / FAULTY_EVERY) % FAULTS.length] ?? "held";
      const { name, lines, judge } = isFaulty ? faulty(own, fault) : drawn(own);
      const path = join(folder, "world.ndjson");
      const text = `${lines.join("\n")}\n`;
      writeFileSync(path, text);
      const input = `world ${n}, seed ${own}: ${name}`;
      const answer = await ask(path);
      for (const { name: property, fault } of OF_EACH_ANSWER) {
        tally.add(property, input, fault(answer));
      }
      judge(answer, (property, ...wrong) => tally.add(property, input, ...wrong));
      if (keptIn !== undefined && tally.shows(input)) {
        mkdirSync(keptIn, { recursive: true });
        writeFileSync(join(keptIn, `world-${own}.ndjson`), text);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface World {
  readonly name: string;
  readonly lines: readonly string[];
  readonly judge: (answer: Answer, add: Add) => void;
}

type Add = (property: string, fault: string | undefined, share?: number) => void;

function drawn(seed: number): World {
  const plan = drawPlan(seed);
  const run = runPlan(plan, new Dice(seed + 1));
  const jobs = [[...plan.stages.keys()]];
  const { executors } = plan;
  const lines = eventLog(plan, run, { executors, removed: [], resubmitted: [], jobs });
  const truth = trueShares(plan, run.attempts);
  return {
    name: [...plan.injected].join(" "),
    lines,
    judge: ({ why }, add) => {
      if (why === undefined) return add("a generated world has an answer", "none");
      add("a generated world has an answer", undefined);
      for (const cause of INJECTED) {
        const share = truth[cause];
        if (!plan.injected.has(cause) || share < NOTABLE * why.responseMs) continue;
        const fault = covered(why, cause, share);
        add(COVERED, fault, MISSED);
        // Which causes miss is told, and judged together.
        add(`- of ${cause}`, fault, 1);
      }
      add("the parts' intervals hold the true usual time, to 1 %", unusual(truth, why), MISSED);
      add("slow nodes are named, and none other", misnamed(plan, why));
      add("the largest cause is the first", misplaced(plan, truth, why));
    },
  };
}

/** What is left of the response without what the causes cost it. */
function unusual(
  truth: ReturnType<typeof trueShares>,
  { parts, responseMs }: Told,
): string | undefined {
  const lost = Object.values(truth).reduce((sum, ms) => sum + ms, 0);
  const usual = responseMs - lost;
  const low = parts.reduce((sum, { lowMs }) => sum + lowMs, 0);
  const high = parts.reduce((sum, { highMs }) => sum + highMs, 0);
  const slack = NOTABLE * responseMs;
  const isHeld = low - slack <= usual && usual <= high + slack;
  return isHeld ? undefined : `usual ${usual}, parts [${low}, ${high}]`;
}

function misnamed({ executors }: Plan, { nodes }: Told): string | undefined {
  const slow = executors.filter(({ factor }) => factor > 1).map(({ node }) => node);
  const named = nodes
    .filter(({ verdict }) => verdict === "slow" || verdict === "lasting")
    .map(({ node }) => node);
  const isRight = slow.toSorted().join() === named.toSorted().join();
  return isRight ? undefined : `slow ${slow.join()}, named ${named.join()}`;
}

/** By a tenth and a hundredth of the response, so that ties do not count. */
function misplaced(
  { injected }: Plan,
  truth: ReturnType<typeof trueShares>,
  { causes, responseMs }: Told,
): string | undefined {
  const of = (cause: string): number =>
    Math.abs(Object.entries(truth).find(([one]) => one === cause)?.[1] ?? 0);
  const [largest] = [...injected].toSorted((a, b) => Math.sign(of(b) - of(a)));
  const first = causes[0]?.cause ?? "";
  if (largest === undefined || of(largest) < 1.1 * of(first) + NOTABLE * responseMs)
    return undefined;
  return `${largest} ${Math.round(of(largest))}, but first ${first} ${Math.round(of(first))}`;
}

/** The same job on the same cores without the fault may place its last attempts otherwise. */
const PLACED = 0.02;

function faulty(seed: number, fault: (typeof FAULTS)[number]): World {
  const { plan, run, beside, lostMs, cause, says, isSilentOf, copies, change } = drawFaulty(
    seed,
    fault,
  );
  const lines = eventLog(plan, run, beside);
  return {
    name: `${fault}, ${Math.round(lostMs)} ms`,
    lines: change === undefined ? lines : change(lines),
    judge: ({ why, firstLines, printed }, add) => {
      const name = `the seconds of a fault are told: ${fault}`;
      const told = `the first lines say why: ${fault}`;
      if (why === undefined) {
        // A refusal with the right reason is an answer where no seconds can be told.
        if (cause !== "none") add(name, printed.err);
        add(told, says.test(printed.err) && cause === "none" ? undefined : printed.err);
        return;
      }
      const slackMs = PLACED * why.responseMs;
      const isTold = says.test(firstLines) && isSilentOf?.test(firstLines) !== true;
      // Every run collects garbage: what is hardly more has no sentence.
      const isNotable = cause !== "gc" || lostMs >= slackMs;
      add(told, isTold || !isNotable ? undefined : firstLines);
      if (copies !== undefined) add("copies are counted", miscounted(copies, why));
      if (cause === "none") return;
      if (cause !== "told") return add(name, covered(why, cause, lostMs, slackMs));
      const isNamed = secondsIn(firstLines).some((each) => Math.abs(each - lostMs) <= slackMs);
      add(name, isNamed ? undefined : `${lostMs} ms: ${firstLines}`);
    },
  };
}

function miscounted(
  { made, won }: { readonly made: number; readonly won: number },
  { copies = { made: 0, won: 0 } }: Told,
): string | undefined {
  const found = `${copies.made} made, ${copies.won} won`;
  return found === `${made} made, ${won} won` ? undefined : `${found}, not ${made} and ${won}`;
}

/** `86.1 s`, `86.1 of 160 s`, and what `70.3 s where 42.0 s would do` could have saved. In ms. */
function secondsIn(text: string): readonly number[] {
  const named = Array.from(text.matchAll(/([\d.]+)(?: of [\d.]+)? s\b/g), ([, each]) =>
    Number(each),
  );
  const saved = Array.from(
    text.matchAll(/([\d.]+) s where ([\d.]+) s\b/g),
    ([, took, would]) => Number(took) - Number(would),
  );
  return [...named, ...saved].map((each) => 1_000 * each);
}
