import { adviceOf } from "./advice.ts";
import { declarationOf, MOVES_WORK } from "./cause.ts";
import type { CauseRow, CopiesRow, Why } from "./document.ts";
import { evidenceSentences } from "./evidence/evidence-text.ts";
import { percent, plain, span } from "./figures.ts";
import { nodeSentence } from "./nodes-text.ts";
import { type Clause, responseClauses } from "./response/response-text.ts";
import { standsOut } from "./stands-out.ts";

/** Less than this share of the response is little. */
const LITTLE = 0.01;
/** The largest cause is named from this share on, even if its interval includes 0. */
const LIKELY = 0.05;

/** The diagnosis in sentences, one per line; the first is the answer. */
export function verdictOf(why: Omit<Why, "verdict">): string {
  const { evidence } = why;
  const said = evidence === undefined ? [] : evidenceSentences(evidence);
  const answer = [headline(why), ...said].join(" ");
  if (evidence?.isWhole === false) return [answer, ...copiesSentences(why)].join("\n");
  return [answer, nodeSentence(why.nodes), ...copiesSentences(why), ...adviceOf(why)].join("\n");
}

function headline(why: Omit<Why, "verdict">): string {
  const { job, responseMs } = why;
  const ended = job.outcome === "succeeded" ? "took" : `${OUTCOMES[job.outcome]} after`;
  const others = responseClauses(why);
  const clauses = [...others, lostClause(why, others.length > 0)].sort((a, b) =>
    Math.sign(b.ms - a.ms),
  );
  const texts = clauses.map(({ text }) => text).join("; ");
  return `${calledIn(job)} ${ended} ${span(responseMs)}; ${texts}.`;
}

/** For instance `query 3 of app-1 (count at Main.scala:22)`. */
function calledIn({ id, part }: Why["job"]): string {
  if (part === undefined) return id;
  return `${part.name} of ${id}${part.title === undefined ? "" : ` (${part.title})`}`;
}

/** What late attempts cost. `isOne`: the first line has other clauses. */
function lostClause(why: Omit<Why, "verdict">, isOne: boolean): Clause {
  const { responseMs, delayMs, causes, nodes } = why;
  const share = percent(Math.max(delayMs, 0) / responseMs);
  const clause = (text: string): Clause => ({ ms: delayMs, text });
  if (delayMs <= LITTLE * responseMs) {
    const little = `${span(Math.max(delayMs, 0))} lost (${share})`;
    if (nodes.length === 0) return clause("its attempts had no peers to compare them with");
    if (isOne) return clause(`late attempts cost ${span(Math.max(delayMs, 0))} (${share})`);
    return clause(`its attempts took as long as their peers: ${little}`);
  }
  const lost = `${span(delayMs)} (${share})${isOne ? "" : " of that"} was lost`;
  const sure = causes.filter((row) => standsOut(row, responseMs)).slice(0, 3);
  const largest = causes[0];
  const isLikely = largest !== undefined && largest.ms > LIKELY * responseMs && isPositive(largest);
  const main = isLikely && !sure.includes(largest) ? [largest, ...sure.slice(0, 2)] : sure;
  const told = [
    ...main.map((row) => causeText(why, row, sure)),
    ...(largest === undefined || main.includes(largest) ? [] : unsureText(why, largest)),
  ];
  if (told.length === 0) return clause(`${lost}, and no single cause stands out`);
  return clause(`${lost}: ${told.join(", ")}${gain(why)}`);
}

/** Without what was gained, the parts would exceed the whole. */
function gain({ causes, responseMs }: Omit<Why, "verdict">): string {
  const row = causes.find(({ cause, ms }) => cause === MOVES_WORK && ms < -LITTLE * responseMs);
  return row === undefined ? "" : `, less ${span(-row.ms)} ${declarationOf(row.cause).gained}`;
}

/** An interval that holds 0 is no headline. */
const isPositive = ({ ms, lowMs }: CauseRow): boolean => (lowMs ?? ms) > 0;

/** A large cause that may be none: what can be seen of it. */
function unsureText(why: Omit<Why, "verdict">, row: CauseRow): readonly string[] {
  // In a log with holes, an attempt may have ended where it does not say.
  if (row.ms <= LIKELY * why.responseMs || why.evidence?.isWhole === false) return [];
  return declarationOf(row.cause).unsure?.(why, row) ?? [];
}

const OUTCOMES = { failed: "failed", killed: "was killed", "cut-off": "is cut off" } as const;

function causeText(why: Omit<Why, "verdict">, row: CauseRow, sure: readonly CauseRow[]): string {
  const { cause, ms, lowMs, highMs, mostOn } = row;
  const likely = sure.includes(row) ? "" : "perhaps ";
  const range =
    lowMs === undefined || highMs === undefined ? "" : ` [${plain(lowMs)}, ${plain(highMs)}]`;
  const where = mostOn === undefined ? "" : ` on ${mostOn.what}`;
  return `${likely}${span(ms)}${range} ${declarationOf(cause).clause(why, row)}${where}`;
}

function copiesSentences({ copies }: Omit<Why, "verdict">): readonly string[] {
  if (copies === undefined) return [];
  const { made, won, wastedMs, atLeastMs, each } = copies;
  const noun = made === 1 ? "copy was" : "copies were";
  const they = made === 1 ? "it" : "they";
  const saved =
    atLeastMs > 0
      ? `${they} saved at least ${span(atLeastMs)} of response time`
      : `${they} may have saved no response time`;
  const wasted = `the attempts that lost the race wasted ${plain(wastedMs)} slot-seconds`;
  return [`${made} ${noun} made, ${won} won: ${saved}, and ${wasted}.`, ...besideOriginal(each)];
}

/** A copy on the node of its original has that node's trouble, too. */
function besideOriginal(each: CopiesRow["each"]): readonly string[] {
  const [first, ...more] = each.filter(({ node, originalNode }) => node === originalNode);
  if (first === undefined) return [];
  const { copy, node } = first;
  if (more.length === 0) return [`Copy ${copy} ran on ${node}, where its original was.`];
  return [`${1 + more.length} copies ran where their originals were, ${copy} on ${node} first.`];
}
