import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunResult, run } from "broomwagon/engine";
import { parseDiscipline } from "broomwagon/policies";
import { ROOT, withPlace } from "../engine/place.ts";
import { HEARTBEAT_MS, MAPS, NODES, REDUCES, type Setting } from "./setting.ts";

const SPLIT_BYTES = 96 * 1024;
const JOB = join(ROOT, "bench/fidelity/jobs/grind.ts");

/** Runs the setting on the engine, and copies its journal. */
export function runReal(setting: Setting, journal?: string): Promise<RunResult> {
  return withPlace(async (place) => {
    const input = join(place, "input");
    mkdirSync(input);
    writeFileSync(join(input, "text"), text());
    const result = await run(JOB, {
      input,
      output: join(place, "output"),
      runDirectory: join(place, "runs"),
      discipline: parseDiscipline(setting.discipline, setting.set),
      faults: setting.faults,
      nodes: NODES,
      reduces: REDUCES,
      splitBytes: SPLIT_BYTES,
      heartbeatMs: HEARTBEAT_MS,
      askAgainMs: HEARTBEAT_MS,
    });
    if (journal !== undefined) copyFileSync(result.journal, journal);
    return result;
  });
}

/** The input, of one equal split for each map. */
function text(): string {
  const line = Array.from({ length: 16 }, (_, i) => `word-${i % 10}`).join(" ");
  return `${line}\n`.repeat(Math.floor((MAPS * SPLIT_BYTES) / (line.length + 1)));
}
