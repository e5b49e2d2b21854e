import { TRACE_ENDS } from "../../trace/columns.ts";
import type { PageDocument } from "./document.ts";

/**
 * When an attempt stopped, as far as anybody knows: its end or, if it was lost with its node, when
 * the node was last heard. What the node did in its silence is unknown.
 */
export function lastHeardAt({ head, attempts }: PageDocument, i: number): number {
  const end = attempts.endedAt[i] ?? 0;
  if (TRACE_ENDS[attempts.end[i] ?? 0] !== "lost") return end;
  const silence = head.spans.find(
    ({ node, what, to }) => node === attempts.node[i] && what === "silent" && to >= end,
  );
  return Math.max(attempts.startedAt[i] ?? 0, Math.min(silence?.from ?? end, end));
}
