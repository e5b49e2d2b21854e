import { span } from "./figures.ts";
import type { NodeRow } from "./findings.ts";

/** A verdict names this many slow nodes and counts the others. */
const NAMED = 3;

const isSlow = ({ verdict }: NodeRow): boolean => verdict === "slow" || verdict === "lasting";

export function nodeSentence(nodes: readonly NodeRow[]): string {
  const slow = nodes.filter(isSlow);
  if (slow.length === 0) return suspicion(nodes);
  const others = slow.length - NAMED;
  const more = others > 0 ? ` ${others} more ${others === 1 ? "node is" : "nodes are"} slow.` : "";
  const named = slow
    .slice(0, NAMED)
    .map((row) => {
      const times = `${row.factor.toFixed(1)} times slower than its peers`;
      const { node, attempts } = row;
      return `Node ${node} ran everything ${times} in this job${when(row)} (${attempts} attempts).`;
    })
    .join(" ");
  return `${named}${more}`;
}

function when({ verdict, slowFromMs, slowUntilMs }: NodeRow): string {
  if (slowFromMs !== undefined) return `, from ${span(slowFromMs)} on`;
  if (slowUntilMs !== undefined) return `, until ${span(slowUntilMs)}`;
  return verdict === "lasting" ? ", all the time" : "";
}

/** How the first line names slow nodes; empty if no node is called slow. */
export function nodeClause(nodes: readonly NodeRow[]): readonly string[] {
  const [first, ...others] = nodes.filter(isSlow);
  if (first === undefined) return [];
  const { node, factor, lowFactor, highFactor } = first;
  const times = `${factor.toFixed(1)} times slower ${rangeOf(lowFactor, highFactor)}`;
  if (others.length === 0) return [`on slow node ${node} (${times})`];
  return [`on ${1 + others.length} slow nodes, ${node} first (${times})`];
}

const rangeOf = (low: number, high: number): string => `[${low.toFixed(1)}, ${high.toFixed(1)}]`;

/** From this factor on, a node with few attempts is worth a sentence. */
const SUSPECT_FROM = 2;

/** Few attempts can neither tell a slow node from bad luck nor exclude one: two make a suspect. */
export const suspectOf = (nodes: readonly NodeRow[]): NodeRow | undefined =>
  nodes.find(
    ({ verdict, attempts, factor, lowFactor }) =>
      verdict === "too-few" &&
      factor >= SUSPECT_FROM &&
      lowFactor > (attempts === 1 ? SUSPECT_FROM : 1),
  );

export function suspectClause({ node, attempts, factor, lowFactor, highFactor }: NodeRow): string {
  const own = attempts === 1 ? "its only attempt" : `its ${attempts} attempts`;
  const times = `${factor.toFixed(1)} ${rangeOf(lowFactor, highFactor)} times as long as peers`;
  return `on node ${node}, which may be slow: ${own} took ${times}`;
}

function suspicion(nodes: readonly NodeRow[]): string {
  const suspect = suspectOf(nodes);
  if (suspect === undefined) return noneSlow(nodes);
  const { node, attempts, factor } = suspect;
  const isOne = attempts === 1;
  const own = isOne ? "its only attempt" : `its ${attempts} attempts`;
  const peers = `${factor.toFixed(1)} times as long as ${isOne ? "its" : "their"} peers`;
  const few = isOne ? "one attempt is" : `${attempts} attempts are`;
  return `Node ${node} may be slow: ${own} took ${peers}, but ${few} too few to rule out bad luck.`;
}

/** No evidence of a slow node is no evidence that there is none. */
function noneSlow(nodes: readonly NodeRow[]): string {
  const judged = nodes.filter(({ verdict }) => verdict !== "too-few");
  if (judged.length === 0) return "No node ran enough attempts to tell whether it is slow.";
  const open = judged.filter(({ highFactor }) => highFactor >= SUSPECT_FROM);
  const [worst] = open.toSorted((a, b) => Math.sign(b.highFactor - a.highFactor));
  if (worst !== undefined) {
    const times = `${worst.highFactor.toFixed(1)} times slower`;
    return `No node is slow for sure; the log does not rule out that ${worst.node} is ${times}.`;
  }
  if (judged.length === nodes.length) return "No node is slow.";
  return `Of ${nodes.length} nodes, ${judged.length} ran enough attempts to tell: none is slow.`;
}
