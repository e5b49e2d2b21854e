import type { RunResult } from "../hosts/engine/index.ts";
import { acts, outputsGone } from "./acts.ts";
import { brief } from "./display/sentence.ts";
import { here } from "./here.ts";
import { bytes, counted, seconds } from "./quantity.ts";
import { pad, wrap } from "./table.ts";

const NAME_WIDTH = 14;

/** What a run came to, for people. */
export function resultText(result: RunResult, width: number): string {
  const facts: (readonly [string, string])[] = [
    ["attempts", attemptsText(result)],
    ...acts(result).map(({ at, what, text }) => [what, `${seconds(at)}  ${text}`] as const),
    ...lostOutputs(result),
    ...slowed(result),
    ...Object.entries(result.counters).map(([name, count]) => [name, String(count)] as const),
    ...(result.outcome === "succeeded" ? [["output", outputText(result)] as const] : []),
    ["journal", here(result.journal)],
  ];
  const lines = facts.flatMap(([name, text]) =>
    wrap(text, width - NAME_WIDTH - 2).map(
      (part, index) => `  ${pad(index === 0 ? name : "", NAME_WIDTH, "left")}${part}`,
    ),
  );
  return [headline(result), ...failureLines(result), ...lines].join("\n");
}

function headline({ job, outcome, responseMs, discipline }: RunResult): string {
  return `${job} ${outcome} in ${seconds(responseMs)} under ${discipline}`;
}

function failureLines({ failure }: RunResult): readonly string[] {
  if (failure === undefined) return [];
  const place = failure.place === undefined ? "" : ` at ${failure.place}`;
  return [`  ${brief(failure.task)} failed for good${place}: ${failure.message}`];
}

export function attemptsText({ totals }: RunResult): string {
  const parts = [
    counted(totals.launched, "attempt"),
    `${totals.speculative} speculative (${totals.speculativeWon} won)`,
    `${totals.killed} killed`,
    `${totals.lost} lost with a node`,
    `${totals.failed} failed`,
    `${totals.recomputed} recomputed`,
    `${seconds(totals.wastedMs)} wasted`,
  ];
  return parts.join(", ");
}

function lostOutputs(result: RunResult): readonly (readonly [string, string])[] {
  const gone = outputsGone(result);
  return gone.length === 0 ? [] : [["outputs gone", gone.map(brief).join(", ")]];
}

function slowed({ nodes }: RunResult): readonly (readonly [string, string])[] {
  return nodes.flatMap(({ name, slowed: facts, lostAt }) => {
    const rows: (readonly [string, string])[] = [];
    if (facts !== undefined) {
      const { factor, achieved, forMs } = facts;
      const text = `asked ${factor}x, achieved ${achieved.toFixed(2)}x for ${seconds(forMs)}`;
      rows.push(["slowed", `${name} ${text}`]);
    }
    if (lostAt !== undefined) rows.push(["node lost", `${name} at ${seconds(lostAt)}`]);
    return rows;
  });
}

function outputText({ output, parts }: RunResult): string {
  const total = parts.reduce((sum, part) => sum + part.bytes, 0);
  const records = parts.reduce((sum, part) => sum + part.records, 0);
  const files = counted(parts.length, "part file");
  return `${here(output)}: ${files}, ${counted(records, "record")}, ${bytes(total)}`;
}
