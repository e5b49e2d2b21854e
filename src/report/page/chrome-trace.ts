import { cell } from "../../base/rows.ts";
import { attemptRows } from "./attempt-rows.ts";
import type { PageDocument } from "./document.ts";

/** In microseconds, as the format has it. */
const PER_MS = 1_000;

interface Ran {
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
}

/**
 * The run as Perfetto and chrome://tracing open it: a process for each node, a thread for each
 * slot, a slice for each attempt, and an arrow from an original to its copies.
 */
export function chromeTrace(document: PageDocument): string {
  const { head, attempts } = document;
  const events: object[] = [];
  for (const [pid, { name }] of head.nodes.entries()) {
    events.push({ ph: "M", name: "process_name", pid, args: { name } });
    events.push({ ph: "M", name: "process_sort_index", pid, args: { sort_index: pid } });
  }
  for (const [tid, { node, kind }] of head.rows.entries()) {
    events.push({ ph: "M", name: "thread_name", pid: node, tid, args: { name: `${kind} slot` } });
  }
  const originals = new Map<string, Ran>();
  const copies: { readonly task: string; readonly to: Ran }[] = [];
  let i = 0;
  for (const row of attemptRows(document)) {
    const {
      job,
      phase,
      task,
      attempt,
      node: _,
      startedAtMs: _start,
      endedAtMs: _end,
      ...more
    } = row;
    const startedAt = cell(attempts.startedAt[i]);
    const ran: Ran = {
      pid: attempts.node[i] ?? -1,
      tid: cell(attempts.row[i]),
      ts: PER_MS * startedAt,
    };
    const name = `${phase}/${task}#${attempt}`;
    const dur = PER_MS * (cell(attempts.endedAt[i]) - startedAt);
    const known = Object.entries(more).filter(
      ([, value]) => value !== null && !Number.isNaN(value),
    );
    const args = { job, ...Object.fromEntries(known) };
    events.push({ ph: "X", name, cat: row.kind, ...ran, dur, args });
    const key = `${job}/${phase}/${task}`;
    if (row.kind === "original") originals.set(key, ran);
    else copies.push({ task: key, to: ran });
    i += 1;
  }
  for (const [id, { task, to }] of copies.entries()) {
    const from = originals.get(task);
    if (from === undefined) continue;
    const flow = { name: "copy", cat: "copy", id };
    events.push({ ph: "s", ...flow, ...from }, { ph: "f", bp: "e", ...flow, ...to });
  }
  const lines = events.map((one) => JSON.stringify(one)).join(",\n");
  return `{"displayTimeUnit":"ms","traceEvents":[\n${lines}\n]}\n`;
}
