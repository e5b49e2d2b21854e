import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../engine/place.ts";
import { costsOf } from "./costs.ts";
import { runReal } from "./real.ts";
import { ownSetting, SETTINGS, type Setting } from "./setting.ts";
import { COUNTED, type Side, sideOf } from "./sides.ts";
import { runSimulated } from "./simulated.ts";

export const FIDELITY_USAGE: string = `npm run bench -- fidelity [--chaos FILE] \
[--discipline NAME] [--set SEAT.PARAMETER=VALUE ...] [-o table|json]`;

/** The directory for the journals of both sides, to be compared. */
const JOURNALS = join(ROOT, ".build/fidelity");

interface Row {
  readonly setting: string;
  readonly discipline: string;
  /** A phase, or `response`. */
  readonly of: string;
  readonly simulated_s: number;
  readonly real_s: number;
  /** Simulated over real. */
  readonly ratio: number;
}

/**
 * Runs the same scenarios in the simulator and on the engine. Simulated tasks cost what they cost
 * in a real run without faults. Undefined if the arguments are no command.
 */
export async function fidelity(args: readonly string[]): Promise<boolean | undefined> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      chaos: { type: "string" },
      discipline: { type: "string" },
      set: { type: "string", multiple: true, default: [] },
      format: { type: "string", short: "o", default: "table" },
    },
  });
  const isJson = values.format === "json";
  if (positionals.length > 0 || (!isJson && values.format !== "table")) return undefined;
  const { chaos, discipline, set } = values;
  const isOwn = chaos !== undefined || discipline !== undefined;
  const own = ownSetting({ discipline: discipline ?? "late", set, chaos });
  mkdirSync(JOURNALS, { recursive: true });
  // Measured once for all; the runs that are compared below are others.
  const undisturbed = ownSetting({ discipline: "none", set: [], chaos: undefined });
  const costs = costsOf(await runReal(undisturbed));
  const { mapMs, reduceMs } = costs;
  const measured = `a map takes ${Math.round(mapMs)} ms, a reduce ${Math.round(reduceMs)} ms`;
  console.error(`measured without faults: ${measured}; journals are left in ${JOURNALS}`);
  if (!isJson) console.log(HEADINGS);
  for (const setting of isOwn ? [own] : SETTINGS) {
    const name = `${setting.name.replaceAll(" ", "-")}-${setting.discipline}`;
    const real = join(JOURNALS, `${name}.real.ndjson`);
    const simulated = join(JOURNALS, `${name}.simulated.ndjson`);
    await runReal(setting, real);
    runSimulated(setting, costs, simulated);
    const sides = { real: sideOf(real), simulated: sideOf(simulated) };
    for (const row of rowsOf(setting, sides)) {
      console.log(isJson ? JSON.stringify(row) : rowText(row));
    }
    if (!isJson) console.log(countsText(sides));
  }
  return true;
}

interface Sides {
  readonly real: Side;
  readonly simulated: Side;
}

function rowsOf({ name, discipline }: Setting, { real, simulated }: Sides): readonly Row[] {
  const row = (of: string, simulated_s: number, real_s: number): Row => {
    const ratio = Math.round((1000 * simulated_s) / real_s) / 1000;
    return { setting: name, discipline, of, simulated_s, real_s, ratio };
  };
  const phases = [...real.phases].map(([phase, seconds]) => {
    return row(phase, simulated.phases.get(phase) ?? Number.NaN, seconds);
  });
  return [...phases, row("response", simulated.response_s, real.response_s)];
}

const HEADINGS = cells(["setting", "discipline", "of", "simulated", "real", "ratio"]);

const rowText = ({ setting, discipline, of, simulated_s, real_s, ratio }: Row): string =>
  cells([
    setting,
    discipline,
    of,
    `${simulated_s.toFixed(2)} s`,
    `${real_s.toFixed(2)} s`,
    ratio.toFixed(2),
  ]);

function countsText({ real, simulated }: Sides): string {
  const counts = COUNTED.map((what) => `${what} ${simulated.counts[what]} / ${real.counts[what]}`);
  return `  ${counts.join(", ")}`;
}

function cells(texts: readonly string[]): string {
  const widths = [12, 12, 10, 10, 10, 7];
  return texts
    .map((text, i) => (i < 3 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0)))
    .join(" ");
}
