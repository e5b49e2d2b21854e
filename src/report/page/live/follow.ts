import { parseJournal } from "../../../core/journal/index.ts";
import { type JournalPageOptions, lacksRefusals, type Restore, stepsOf } from "../from-journal.ts";
import { LiveFold } from "./fold.ts";

/**
 * Folds a journal while it grows: `lines` may take what changed between two lines. The fold is
 * undefined before the first.
 */
export function followJournal(
  lines: (fold: () => LiveFold | undefined) => Iterable<string>,
  restore: Restore,
  options: JournalPageOptions & { readonly source: string },
): void {
  let fold: LiveFold | undefined;
  const { setup, names, entries } = parseJournal(
    lines(() => fold),
    options.place,
  );
  const step = stepsOf(setup, restore, options);
  fold = new LiveFold(setup, {
    source: options.source,
    lacksRefusals: lacksRefusals(setup, options),
  });
  for (const entry of entries) {
    if (entry.kind === "host") fold.host(entry.data);
    else fold.step({ event: entry.event, names, ...step(entry) });
  }
}
