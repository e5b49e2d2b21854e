import { adviceOf } from "./advice.ts";
import type { Cause } from "./cause.ts";
import type { CauseRow, CopiesRow, Why } from "./document.ts";
import { evidenceSentences, lossClause } from "./evidence/evidence-text.ts";
import { percent, plain, span } from "./figures.ts";
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
  return [answer, nodeSentence(why), ...copiesSentences(why), ...adviceOf(why)].join("\n");
}

function headline(why: Omit<Why, "verdict">): string {
  const { job, responseMs } = why;
  const ended = job.outcome === "succeeded" ? "took" : `${OUTCOMES[job.outcome]} after`;
  const others = responseClauses(why);
  const clauses = [...others, lostClause(why, others.length > 0)].sort((a, b) =>
    Math.sign(b.ms - a.ms),
  );
  return `${job.id} ${ended} ${span(responseMs)}; ${clauses.map(({ text }) => text).join("; ")}.`;
}

/** What late attempts cost. `isOne`: the first line has other clauses. */
function lostClause(why: Omit<Why, "verdict">, isOne: boolean) {
  const { responseMs, delayMs, causes, nodes, evidence } = why;
  const share = percent(Math.max(delayMs, 0) / responseMs);
  const clause = (text: string): Clause => ({ ms: delayMs, text });
  if (delayMs <= LITTLE * responseMs) {
    const little = `${span(Math.max(delayMs, 0))} lost (${share})`;
    if (nodes.length === 0) return clause("its attempts had no peers to compare them with");
    if (isOne) return clause(`late attempts cost ${span(Math.max(delayMs, 0))} (${share})`);
    return clause(`its attempts took as long as their peers: ${little}`);
  }
  const sure = causes.filter((row) => standsOut(row, responseMs)).slice(0, 3);
  const largest = causes[0];
  const isLikely = largest !== undefined && largest.ms > LIKELY * responseMs;
  const main = isLikely && !sure.includes(largest) ? [largest, ...sure.slice(0, 2)] : sure;
  const because = evidence === undefined ? "" : lossClause(evidence);
  const told = main.map(
    (row) => `${causeText(row, sure)}${row.cause === "retries" ? because : ""}`,
  );
  const lost = `${span(delayMs)} (${share})${isOne ? "" : " of that"} was lost`;
  if (main.length === 0) return clause(`${lost}, and no single cause stands out`);
  return clause(`${lost}: ${told.join(", ")}${gain(why)}`);
}

/** Without what was gained, the parts would exceed the whole. */
function gain({ causes, responseMs }: Omit<Why, "verdict">): string {
  const row = causes.find(({ cause, ms }) => cause === "bytes" && ms < -LITTLE * responseMs);
  if (row === undefined) return "";
  return `, less ${span(-row.ms)} since the costly attempts read less than their peers`;
}

const OUTCOMES = { failed: "failed", killed: "was killed", "cut-off": "is cut off" } as const;

function causeText(row: CauseRow, sure: readonly CauseRow[]): string {
  const { cause, ms, lowMs, highMs } = row;
  const likely = sure.includes(row) ? "" : "perhaps ";
  const range =
    lowMs === undefined || highMs === undefined ? "" : ` [${plain(lowMs)}, ${plain(highMs)}]`;
  return `${likely}${span(ms)}${range} ${CLAUSES[cause]}`;
}

/** How a cause ends the sentence "12 s ...". */
const CLAUSES: Readonly<Record<Cause, string>> = {
  retries: "to attempts that failed or were lost and ran again",
  "waited-to-start": "waiting to start",
  node: "on slow nodes",
  gc: "in garbage collection",
  "fetch-wait": "waiting for shuffled data",
  "cold-start": "warming up executors",
  "remote-read": "reading data from other nodes",
  bytes: "to uneven inputs",
  unexplained: "that nothing in the log explains",
};

function nodeSentence({ nodes }: Omit<Why, "verdict">): string {
  const slow = nodes.filter(({ verdict }) => verdict === "slow" || verdict === "lasting");
  if (slow.length === 0) return suspicion(nodes);
  const others = slow.length - NAMED;
  const more = others > 0 ? ` ${others} more ${others === 1 ? "node is" : "nodes are"} slow.` : "";
  const named = slow
    .slice(0, NAMED)
    .map(({ node, factor, verdict, attempts }) => {
      const lasting = verdict === "lasting" ? ", all the time" : "";
      const times = `${factor.toFixed(1)} times slower than its peers`;
      return `Node ${node} ran everything ${times} in this job${lasting} (${attempts} attempts).`;
    })
    .join(" ");
  return `${named}${more}`;
}

/** The verdict names this many slow nodes and counts the others. */
const NAMED = 3;

/** From this factor on, a node with few attempts is worth a sentence. */
const SUSPECT_FROM = 2;

/** Few attempts can neither tell a slow node from bad luck nor exclude one. */
function suspicion(nodes: Why["nodes"]): string {
  const suspect = nodes.find(
    ({ verdict, lowFactor }) => verdict === "too-few" && lowFactor >= SUSPECT_FROM,
  );
  if (suspect === undefined) return noneSlow(nodes);
  const { node, attempts, factor } = suspect;
  const isOne = attempts === 1;
  const own = isOne ? "its only attempt" : `its ${attempts} attempts`;
  const peers = `${factor.toFixed(1)} times as long as ${isOne ? "its" : "their"} peers`;
  const few = isOne ? "one attempt is" : `${attempts} attempts are`;
  return `Node ${node} may be slow: ${own} took ${peers}, but ${few} too few to rule out bad luck.`;
}

function noneSlow(nodes: Why["nodes"]): string {
  const judged = nodes.filter(({ verdict }) => verdict !== "too-few").length;
  if (judged === 0) return "No node ran enough attempts to tell whether it is slow.";
  if (judged === nodes.length) return "No node is slow.";
  return `Of ${nodes.length} nodes, ${judged} ran enough attempts to tell: none is slow.`;
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
