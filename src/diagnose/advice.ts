import { bytes } from "../base/amount.ts";
import type { Cause } from "./cause.ts";
import { localityWaitMs } from "./causes/waits.ts";
import type { CauseRow, PhaseRow, Why } from "./document.ts";
import { span } from "./figures.ts";
import { standsOut } from "./stands-out.ts";

/** Advice is worth a sentence from this share of the response on. */
const WORTH = 0.01;

/** What to do next, and what that alone would save: only where the evidence carries it. */
export function adviceOf(why: Omit<Why, "verdict">): readonly string[] {
  const { nodes, causes, responseMs } = why;
  const sure = (cause: Cause): CauseRow | undefined =>
    causes.find(
      (row) =>
        row.cause === cause && standsOut(row, responseMs) && row.aloneMs >= WORTH * responseMs,
    );
  const lasting = nodes.filter(({ verdict }) => verdict === "lasting");
  return [
    ...repairNodes(lasting, sure("node")),
    ...repartition(why, sure("bytes")),
    ...freeSlots(why, sure("waited-to-start")),
    ...heap(sure("gc")),
    ...failures(why, sure("retries")),
  ];
}

const gain = ({ aloneMs }: CauseRow): string => `that alone would save ${span(aloneMs)}`;

/** Advice names this many nodes and counts the others. */
const NAMED = 3;

function repairNodes(lasting: Why["nodes"], row: CauseRow | undefined): readonly string[] {
  if (row === undefined || lasting.length === 0) return [];
  const names = lasting.slice(0, NAMED).map(({ node }) => node);
  const [only] = names;
  if (lasting.length === 1) {
    return [`Repair node ${only}, or take it out of service: ${gain(row)}.`];
  }
  const first = lasting.length > NAMED ? `${lasting.length} nodes, ${names.join(", ")} first` : "";
  const which = first === "" ? `nodes ${names.join(", ")}` : first;
  return [`Repair or take out of service ${which}: ${gain(row)}.`];
}

/** Inputs are uneven if the largest is at least this many times the median. */
const UNEVEN = 1.2;

function repartition({ phases }: Omit<Why, "verdict">, row: CauseRow | undefined) {
  const [worst] = row?.evidence ?? [];
  const phase = phases.find(({ phase }) => worst?.what.startsWith(`${phase}/`));
  if (row === undefined || phase?.skew === undefined) return [];
  return phase.skew.bytes < UNEVEN * phase.skew.medianBytes
    ? []
    : [`Repartition: ${skewText(phase, phase.skew)}; ${gain(row)}.`];
}

function skewText({ phase, tasks }: PhaseRow, skew: NonNullable<PhaseRow["skew"]>): string {
  const times = (skew.bytes / skew.medianBytes).toFixed(1);
  const median = `the median of ${tasks} tasks (${bytes(Math.round(skew.medianBytes))})`;
  const most = `${phase}/${skew.task} reads ${bytes(skew.bytes)}, ${times} times ${median}`;
  if (skew.tasks < 2) return most;
  return `${most}, and ${skew.tasks - 1} more at least twice as much`;
}

/** Of the systems in these histories, Spark alone lets a slot wait for a task's data. */
function freeSlots({ phases, job }: Omit<Why, "verdict">, row: CauseRow | undefined) {
  const part = row?.parts?.find(({ what }) => what === "beside a free slot");
  const [worst = ""] = (row?.evidence ?? []).map(({ what }) => what);
  const phase = phases.find(({ phase }) => worst.startsWith(`${phase}/`));
  const locality = job.settings.values["spark.locality.wait"] ?? "3s";
  const isSpark = phase?.phase.startsWith("stage ") === true && localityWaitMs(job.settings) > 0;
  if (row === undefined || part === undefined || part.ms < row.ms / 2 || !isSpark) return [];
  const set = `spark.locality.wait (${locality}) is a likely reason, try 0s`;
  const waited = row.waitedFor ?? [];
  const forNodes = waited.reduce((sum, { ms }) => sum + ms, 0);
  const names = waited.slice(0, NAMED).map(({ what }) => what);
  if (forNodes >= part.ms / 2) {
    const where = `for ${names.join(", ")}, where their data are`;
    return [
      `Tasks waited ${span(forNodes)} ${where}, beside free slots elsewhere: ${set}; ${gain(row)}.`,
    ];
  }
  if (!phase.isPlaced) return [];
  return [`Attempts waited beside free slots for ${span(part.ms)}: ${set}; ${gain(row)}.`];
}

function heap(gc: CauseRow | undefined) {
  if (gc === undefined) return [];
  const { mostOn } = gc;
  if (mostOn !== undefined) {
    const its = "its attempts collect garbage where their peers do not";
    return [`Look what else ${mostOn.what} keeps in memory: ${its}; ${gain(gc)}.`];
  }
  const some = "some collect garbage where their peers do not";
  return [`Give tasks more memory or less data: ${some}; ${gain(gc)}.`];
}

/** Only where the log does not say why: its reasons stand in the answer. */
function failures({ evidence }: Omit<Why, "verdict">, retries: CauseRow | undefined) {
  const [worst] = retries?.evidence ?? [];
  const isTold = evidence?.failures.some(({ reason }) => reason !== "") === true;
  if (retries === undefined || worst === undefined || isTold) return [];
  return [`Find out why attempts failed, ${worst.what} first; ${gain(retries)}.`];
}
