import { isObject } from "../../base/json.ts";
import { parseJournal } from "../../core/journal/index.ts";
import { createScheduler } from "../../core/scheduler.ts";
import type { Discipline, DisciplineDescription } from "../../policy/policy.ts";
import { JournalJobs } from "../../trace/journal/journal-jobs.ts";
import type { Note, Trace } from "../../trace/model.ts";
import type { PageHost } from "./document.ts";
import { Told } from "./told.ts";

export interface JournalPage {
  readonly trace: Trace;
  readonly told: Told;
  readonly host: PageHost;
}

/**
 * The facts of a journal, and all that the policy refused: the core runs the recorded events again
 * and says what it did not do, also where the journal has none of it. COST: a replay.
 */
export function journalPage(
  lines: Iterable<string>,
  restore: (description: DisciplineDescription) => Discipline,
  { place, refusals }: { readonly place: string; readonly refusals: boolean },
): JournalPage {
  const journal = parseJournal(lines, place);
  const { explain: explained, ...described } = journal.setup;
  const explain = refusals || explained;
  const discipline = restore(described.discipline);
  const scheduler = createScheduler({ ...described, discipline }, { explain, facts: true });
  const jobs = new JournalJobs(journal.setup);
  const told = new Told();
  const faults = new Map<string, { readonly at: number; readonly text: string }>();
  let host: PageHost = journal.setup.slotKinds.includes("container") ? "yarn" : "simulator";
  for (const entry of journal.entries) {
    if (entry.kind === "host") {
      const { data } = entry;
      if (!isObject(data)) continue;
      if (data.kind === "run" && host === "simulator") host = "engine";
      if (data.kind !== "fault" || typeof data.node !== "string") continue;
      const [at, key] = [Number(data.at), `${data.node} ${String(data.fault)}`];
      if (data.is === "begin") faults.set(key, { at, text: String(data.what) });
      else {
        const begun = faults.get(key);
        if (begun !== undefined) told.fault(data.node, begun.text, begun.at, at);
        faults.delete(key);
      }
      continue;
    }
    const { event } = entry;
    const { actions, facts } = scheduler.step(event);
    for (const fact of facts) jobs.apply(fact);
    jobs.see(event);
    told.apply({ event, actions, facts, names: journal.names });
  }
  for (const [key, { at, text }] of faults) {
    told.fault(key.slice(0, key.lastIndexOf(" ")), text, at, undefined);
  }
  const traced = jobs.jobs();
  const notes = traced
    .filter(({ outcome }) => outcome === "cut-off")
    .map(({ id }): Note => ({ kind: "cut-off", text: `the journal ends before ${id} does` }));
  const source = { format: "journal", files: [place] } as const;
  return { trace: { source, originMs: 0, jobs: traced, notes }, told, host };
}
