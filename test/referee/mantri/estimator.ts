import type { Estimator } from "../../../src/policy/index.ts";
import type { Books } from "./books.ts";
import { newCopyMs } from "./lines.ts";

/** t_rem and t_new of the world itself, so that 5.1 is judged apart from 5.5. */
export const estimatorOf = (books: Books): Estimator<object, null> => ({
  name: "own-estimates",
  source: "test/referee",
  params: {},
  needs: [],
  steady: false,
  remember: () => null,
  timeLeft(_ctx, id) {
    const attempt = books.attempts.get(id);
    return attempt === undefined ? Number.POSITIVE_INFINITY : books.timeLeft(attempt);
  },
  newCopy: (_ctx, id, on) => ({
    kind: "samples",
    rising: newCopyMs(books, books.task(id), on === undefined ? undefined : books.node(on)),
  }),
});
