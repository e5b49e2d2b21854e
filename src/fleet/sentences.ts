import { wordsOf } from "../diagnose/cause.ts";
import { nameOf } from "../diagnose/compare/compare-text.ts";
import { percent, span } from "../diagnose/figures.ts";
import { PART_NAMES } from "../diagnose/response/part.ts";
import { counted } from "../report/quantity.ts";
import { dayOf, type Fleet, type FleetFailure, type Span } from "./fleet.ts";
import type { Grown } from "./grown.ts";
import type { FleetNode } from "./hurt-nodes.ts";

/** Causes of a smaller share of the response of all jobs are not named. */
const NOTABLE = 0.005;
/** This many causes, nodes, jobs of a node and grown jobs are named; the others are counted. */
const NAMED = 5;
/** Less is written as 0.00 s. */
const NOTHING_MS = 5;
/** Fewer jobs say nothing about a node that each of them does not say. */
const JOBS_MIN = 3;

/** What many jobs say together, a sentence each; the first is the answer. */
export const fleetSentences = ({ total, nodes, grown, failures }: Fleet): readonly string[] => [
  headline(total),
  ...usualSentence(total),
  ...nodeSentences(nodes, total.jobs),
  ...grown.slice(0, NAMED).map(grownSentence),
  ...more(
    grown.length - NAMED,
    "more job takes longer than before",
    "more jobs take longer than before",
  ),
  ...failures.slice(0, REASONS).map(failureSentence),
  ...more(failures.length - REASONS, "more reason", "more reasons"),
];

/** Reasons of failures that are named. */
const REASONS = 3;

/** For instance `112 attempts of 5 jobs had no result: GPU OutOfMemory`. */
const failureSentence = ({ reason, attempts, jobs }: FleetFailure): string => {
  const whose = `${counted(attempts, "attempt")} of ${counted(jobs, "job")}`;
  return `${whose} had no result: ${reason.replace(/[.\s]+$/, "")}.`;
};

/** The time in which jobs did not work as usual, though no attempt was late. */
function usualSentence({ parts, responseMs }: Span): readonly string[] {
  const idle = parts
    .filter(({ part, ms }) => part !== "work" && ms >= NOTABLE * responseMs)
    .map(({ part, ms }) => `${PART_NAMES[part]} ${span(ms)}`);
  return idle.length === 0 ? [] : [`Beside their work: ${idle.join(", ")}.`];
}

/** For instance `412 jobs took 8150 s in all; 801 s (10 %) of that was lost: ...`. */
function headline({ jobs, succeeded, responseMs, delayMs, causes }: Span): string {
  const failed = jobs - succeeded;
  const ended = failed === 0 ? "" : `, ${failed} of which did not succeed,`;
  const main = causes
    .filter(({ ms }) => ms >= NOTABLE * responseMs)
    .slice(0, NAMED)
    .map(
      ({ cause, ms, jobs: hurt }) =>
        `${span(ms)} to ${wordsOf(cause).label} (${counted(hurt, "job")})`,
    );
  const lost = `${span(delayMs)} (${percent(delayMs / responseMs)}) of that was lost`;
  const to = main.length === 0 ? "" : `: ${main.join(", ")}`;
  return `${jobs} jobs${ended} took ${span(responseMs)} in all; ${lost}${to}.`;
}

function nodeSentences(nodes: readonly FleetNode[], jobs: number): readonly string[] {
  const slow = nodes.filter(({ isSlow, slowIn }) => isSlow || slowIn > 1);
  if (slow.length === 0) {
    return jobs < JOBS_MIN || nodes.length < 2
      ? []
      : ["No node was slow in several of these jobs."];
  }
  return [
    ...slow.slice(0, NAMED).map(nodeSentence),
    ...more(
      slow.length - NAMED,
      "more node was slow in several jobs",
      "more nodes were slow in several jobs",
    ),
  ];
}

function nodeSentence({ node, jobs, hurt, slowIn, factor, delayMs, isSlow }: FleetNode): string {
  if (!isSlow) return `Node ${node} was slow in ${slowIn} of the ${jobs} jobs that ran on it.`;
  const others = hurt.length - NAMED;
  const named = [...hurt.slice(0, NAMED), ...(others > 0 ? [counted(others, "other")] : [])].join(
    ", ",
  );
  const where = `Node ${node} was slow in ${hurt.length} of the ${jobs} jobs that ran on it`;
  const took = `its attempts took ${factor.toFixed(1)} times as long as their peers`;
  const cost = delayMs < NOTHING_MS ? "no job any time" : span(delayMs);
  return `${where}: ${took} and cost ${cost} (${named}).`;
}

function grownSentence(job: Grown): string {
  const { name, since, sinceAt, runs, before, beforeMs, afterMs } = job;
  const now = `${span(afterMs)} in ${counted(runs, "run")}`;
  const day = sinceAt > YEAR_MS ? ` (${dayOf(sinceAt)})` : "";
  const than = `${span(beforeMs)} in the ${before} before`;
  return `Job ${name} takes longer since ${since}${day}: ${now}, ${than}${grownBy(job)}.`;
}

/** What grew most, and whether the job has more to do. */
function grownBy({ causes: [first], attemptsBefore, attemptsAfter }: Grown): string {
  if (first === undefined || first.changeMs <= 0) return "";
  const times = attemptsAfter / attemptsBefore;
  const work = times > MORE ? ` (${times.toFixed(2)} times the attempts)` : "";
  return `; ${nameOf(first.cause)} grew most, by ${span(first.changeMs)}${work}`;
}

/** So many times the attempts is more work. */
const MORE = 1.1;

/** An instant before this is none of a dated history. */
const YEAR_MS = 365 * 86_400_000;

const more = (count: number, one: string, many: string): readonly string[] =>
  count <= 0 ? [] : [`${count} ${count === 1 ? one : many}.`];
