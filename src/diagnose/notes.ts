import { cell } from "../base/rows.ts";
import type { Note, Trace, TraceJob } from "../history/model.ts";
import { type Judged, notRecorded } from "./evidence/not-recorded.ts";
import type { GarbageCost } from "./expect/gc.ts";
import { percent } from "./figures.ts";

/** Of a history of many jobs, what it says of this one and of all; then what the answer assumes. */
export const notesOf = (
  { notes }: Pick<Trace, "notes">,
  job: TraceJob,
  { garbage, ...judged }: Judged & { readonly garbage: readonly GarbageCost[] },
): readonly Note[] => [
  ...notes.filter((note) => (note.job ?? job.id) === job.id),
  ...garbage.map((cost) => garbageNote(job, cost)),
  ...notRecorded(judged),
];

function garbageNote({ phases }: TraceJob, { phase, share }: GarbageCost): Note {
  const { name } = cell(phases[phase]);
  const counts = `counts by ${percent(share)}: attempts with more of it took hardly longer`;
  return { kind: "assumed", text: `garbage collection in ${name} ${counts}` };
}
