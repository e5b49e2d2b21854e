import { cell } from "../../base/rows.ts";
import { endAt, kindAt, type TraceEnd } from "../../history/columns.ts";
import { type SlotKind, slotKind } from "../../model/ids.ts";
import type { Panel } from "../swimlanes/layout.ts";
import { isFaultKind, LOOKS, type Mark } from "../swimlanes/marks.ts";
import type { BarEnd, LaneBar } from "../swimlanes/story.ts";
import type { NodeSpan, PageDocument, PageHead } from "./document.ts";

const UNKNOWN = "unknown";

/** A page's timeline as a picture's panel: the same rows, bars, silences and faults. */
export function panelOf(page: PageDocument): Panel {
  const { head, attempts } = page;
  const slotKinds = [...new Set(head.rows.map(({ kind }) => kind))];
  const nodes: { readonly name: string; readonly lanes: SlotKind[] }[] = [];
  /** Node and lane of each row. */
  const places = head.rows.map(({ node, kind }) => {
    const name = head.nodes[node]?.name ?? UNKNOWN;
    if (nodes.at(-1)?.name !== name) nodes.push({ name, lanes: [] });
    const last = nodes.at(-1);
    last?.lanes.push(slotKind(slotKinds.indexOf(kind)));
    return { node: nodes.length - 1, lane: (last?.lanes.length ?? 1) - 1 };
  });
  const bars = Array.from({ length: attempts.length }, (_, i): LaneBar => {
    const phase = head.phases[cell(attempts.phase[i])];
    return {
      ...(places[cell(attempts.row[i])] ?? { node: 0, lane: 0 }),
      from: cell(attempts.startedAt[i]),
      to: attempts.heardAt[i]!,
      as: kindAt(attempts, i),
      end: barEnd(endAt(attempts, i)),
      reason: "",
      job: head.jobs[phase?.job ?? 0]?.name ?? "",
      phase: phase?.name ?? "",
      index: cell(attempts.task[i]),
    };
  });
  const story = {
    nodes,
    bars,
    jobs: head.jobs.map(({ name, submittedAt, endedAt, outcome }) => ({
      name,
      from: submittedAt,
      ...(outcome !== "cut-off" && { to: endedAt, outcome }),
    })),
    phases: [...new Set(head.phases.map(({ name }) => name))],
    silences: head.spans
      .filter(({ what }) => what !== "fault")
      .map(({ node, from, to, what }) => ({
        node: nodes.findIndex(({ name }) => name === head.nodes[node]?.name),
        from,
        to,
        lost: what === "lost",
      }))
      .filter(({ node }) => node >= 0),
    endsAt: head.endsAt,
  };
  return { story, marks: head.spans.flatMap((span) => markOf(span, head)), slotKinds };
}

function markOf({ fault = "", from, node, text, to }: NodeSpan, head: PageHead): readonly Mark[] {
  const target = head.nodes[node]?.name;
  if (target === undefined || !isFaultKind(fault)) return [];
  const kind = LOOKS[fault];
  return [{ target, of: "node", from, to: kind === "blow" ? from : to, kind, text }];
}

const barEnd = (end: TraceEnd): BarEnd => (end === "cut-off" ? "running" : end);
