import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OF_EACH_ANSWER } from "../answers.ts";
import { ask, broomwagon } from "../broomwagon.ts";
import { COVERED, covered, MISSED, NOTABLE } from "../covered.ts";
import type { Tally } from "../tally.ts";
import { HEARTBEAT_MS } from "./fluid.ts";
import { drawSimulated, scenarioOf } from "./scenario.ts";

/**
 * Simulated jobs, each with one trouble. What the trouble cost is what the same job takes more than
 * without it, from the same seed. Ends are seen at heartbeats, so that it is known to one of these.
 */
export async function trySimulated(
  { seed, count, keptIn }: { readonly seed: number; readonly count: number; keptIn?: string },
  tally: Tally,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-simulated-"));
  const [scenario, journal] = [join(folder, "world.json"), join(folder, "world.ndjson")];
  try {
    for (let n = 0; n < count; n++) {
      const world = drawSimulated(seed * 100_003 + n);
      const run = async (usualMs?: number): Promise<number> => {
        writeFileSync(scenario, JSON.stringify(scenarioOf(world, usualMs)));
        return responseOf(scenario, journal);
      };
      const { name, cause } = world.trouble;
      const usualMs = await run();
      const costMs = (await run(usualMs)) - usualMs;
      const input = `${world.name}: ${name}`;
      const answer = await ask(journal);
      for (const each of OF_EACH_ANSWER) tally.add(each.name, input, each.fault(answer));
      const { why } = answer;
      tally.add("a simulated job has an answer", input, why === undefined ? "none" : undefined);
      if (why === undefined || costMs < NOTABLE * why.responseMs) continue;
      const fault = covered(why, cause, costMs, HEARTBEAT_MS);
      tally.add(`simulated: ${COVERED}`, input, fault, MISSED);
      // Which troubles miss is told, and judged together.
      tally.add(`- of ${name}, simulated`, input, fault, 1);
      if (keptIn === undefined || !tally.shows(input)) continue;
      mkdirSync(keptIn, { recursive: true });
      const text = JSON.stringify(scenarioOf(world, usualMs));
      writeFileSync(join(keptIn, `${world.name}.json`), text);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function responseOf(scenario: string, journal: string): Promise<number> {
  const flags = ["--seeds", "1", "--workers", "1", "--journal", journal, "-o", "json"];
  const { code, out, err } = await broomwagon("simulate", scenario, ...flags);
  if (code !== 0) throw new Error(err);
  const told: { readonly rows: readonly [{ readonly responseMs: { readonly mean: number } }] } =
    JSON.parse(out);
  return told.rows[0].responseMs.mean;
}
