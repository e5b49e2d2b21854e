import type { Cause } from "./cause.ts";
import type { CauseRow, PhaseRow, Why } from "./document.ts";
import { percent, span } from "./figures.ts";
import { standsOut } from "./stands-out.ts";

/** What to do next: sentences, only where the evidence carries them. */
export function adviceOf(why: Omit<Why, "verdict">): readonly string[] {
  const { nodes, causes, responseMs } = why;
  const sure = (cause: Cause): CauseRow | undefined =>
    causes.find((row) => row.cause === cause && standsOut(row, responseMs));
  return [
    ...repairNodes(nodes.filter(({ verdict }) => verdict === "lasting")),
    ...repartition(why, sure("bytes")),
    ...freeSlots(why, sure("waited-to-start")),
    ...heap(sure("gc")),
    ...failures(why, sure("retries")),
  ];
}

/** Advice names this many nodes and counts the others. */
const NAMED = 3;

function repairNodes(lasting: Why["nodes"]): readonly string[] {
  if (lasting.length <= NAMED) {
    return lasting.map(({ node }) => `Repair node ${node}, or take it out of service.`);
  }
  const names = lasting.slice(0, NAMED).map(({ node }) => node);
  const which = `${lasting.length} nodes, ${names.join(", ")} first`;
  return [`Repair or take out of service ${which}.`];
}

/**
 * Advice mentions the largest tasks if they hold at least this many times an even share of the
 * phase's bytes.
 */
const UNEVEN = 2;

function repartition({ phases }: Omit<Why, "verdict">, bytes: CauseRow | undefined) {
  if (bytes === undefined || bytes.evidence.length === 0) return [];
  const [worst = ""] = bytes.evidence.map(({ what }) => what);
  const phase = phases.find(({ phase }) => worst.startsWith(`${phase}/`));
  const names = bytes.evidence.slice(0, 3).map(({ what }) => what);
  const holds = phase === undefined ? undefined : holdsText(phase);
  const peers = names.length === 1 ? "its peers" : "their peers";
  return holds === undefined
    ? [`Repartition: ${names.join(", ")} read much more than ${peers}.`]
    : [`Repartition: ${holds}.`];
}

function holdsText({ phase, tasks, largest }: PhaseRow): string | undefined {
  if (largest === undefined || largest.share < (UNEVEN * largest.tasks) / tasks) return undefined;
  const of = `of the bytes that ${phase} reads`;
  if (largest.tasks === 1)
    return `one of ${tasks} partitions holds ${percent(largest.share)} ${of}`;
  return `${largest.tasks} of ${tasks} partitions hold ${percent(largest.share)} ${of}`;
}

/** Of the systems in these histories, Spark alone lets a slot wait for a task's data. */
function freeSlots({ phases, job }: Omit<Why, "verdict">, waited: CauseRow | undefined) {
  const part = waited?.parts?.find(({ what }) => what === "beside a free slot");
  const [worst = ""] = (waited?.evidence ?? []).map(({ what }) => what);
  const phase = phases.find(({ phase }) => worst.startsWith(`${phase}/`));
  const isSpark = phase?.isPlaced === true && phase.phase.startsWith("stage ");
  const locality = job.settings.values["spark.locality.wait"] ?? "3s";
  if (part === undefined || part.ms < (waited?.ms ?? 0) / 2 || !isSpark) return [];
  if (/^0(ms|s)?$/.test(locality)) return [];
  const set = `spark.locality.wait (${locality}) is a likely reason`;
  return [`Attempts waited beside free slots for ${span(part.ms)}: ${set}, try 0s.`];
}

function heap(gc: CauseRow | undefined) {
  if (gc === undefined) return [];
  return ["Give tasks more memory or less data: some collect garbage where their peers do not."];
}

/** Only where the log does not say why: its reasons stand in the answer. */
function failures({ evidence }: Omit<Why, "verdict">, retries: CauseRow | undefined) {
  const [worst] = retries?.evidence ?? [];
  const isTold = evidence?.failures.some(({ reason }) => reason !== "") === true;
  if (worst === undefined || isTold) return [];
  return [`Find out why attempts failed, ${worst.what} first.`];
}
