import type { Estimator } from "../../src/policy/index.ts";
import type { Books } from "./books.ts";
import { newCopyMs, timeLeft } from "./own-times.ts";

/** The world's own times, in the estimator's seat. */
export const estimatorOf = (books: Books): Estimator<object, null> => ({
  name: "own-estimates",
  source: "test/letter",
  params: {},
  needs: [],
  steady: false,
  remember: () => null,
  timeLeft(_ctx, id) {
    const attempt = books.attempts.get(id);
    // An attempt that was launched at this moment has made no progress.
    return attempt === undefined ? Number.POSITIVE_INFINITY : timeLeft(books, attempt);
  },
  newCopy(_ctx, id, on) {
    const task = books.tasks.get(id);
    if (task === undefined) throw new Error(`no task ${id}`);
    const node = on === undefined ? undefined : books.node(on);
    return { kind: "samples", rising: newCopyMs(books, task, node) };
  },
});
