import { cell } from "../../base/rows.ts";
import { savedAlone, span } from "../figures.ts";
import { nodeClause } from "../nodes-text.ts";
import type { Advise, CauseDeclaration, CauseWords } from "./declaration.ts";

export const nodeWords = {
  name: "node",
  label: "slow node",
  help: "what the node's factor adds, if it is beyond chance",
} as const satisfies CauseWords<string>;

/** A node that is not called slow may be slow from this factor on. */
const SLOWER = 1.1;

/** What the factor of the attempt's node adds to all that the attempt does. */
export const node: CauseDeclaration<"node"> = {
  name: "node",
  couldTouch: ({ signals, expectation }) => {
    const raw = new Map(expectation.nodes.map((one) => [one.node, one.rawFactor]));
    return (i) => (raw.get(cell(signals.node[i])) ?? 1) > SLOWER;
  },
  clause: ({ nodes }) => nodeClause(nodes)[0] ?? "on slow nodes",
  unsure: ({ nodes }, { ms }) => nodeClause(nodes).map((text) => `${span(ms)} ${text}`),
  advice: { rank: 1, of: repair },
};

/** Advice names this many nodes and counts the others. */
const NAMED = 3;

function repair(...[{ nodes }, row]: Parameters<Advise>): readonly string[] {
  const lasting = nodes.filter(({ verdict }) => verdict === "lasting");
  if (lasting.length === 0) return [];
  const names = lasting.slice(0, NAMED).map((one) => one.node);
  const [only] = names;
  if (lasting.length === 1) {
    return [`Repair node ${only}, or take it out of service: ${savedAlone(row)}.`];
  }
  const first = lasting.length > NAMED ? `${lasting.length} nodes, ${names.join(", ")} first` : "";
  const which = first === "" ? `nodes ${names.join(", ")}` : first;
  return [`Repair or take out of service ${which}: ${savedAlone(row)}.`];
}
