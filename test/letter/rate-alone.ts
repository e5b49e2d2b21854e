import { late, lateBy } from "./late.ts";
import type { Letter } from "./letter.ts";

/**
 * LATE 4.1: "a progress rate based scheduler would always re-execute tasks from slow nodes". The
 * lowest rate first is the longest time of a whole task first.
 */
export const lateRateAlone: Letter = {
  ...late,
  policy: "rate-alone",
  discipline: "late,estimator=rate-alone,sharing=fifo-plain",
  rules: (params) => ({
    idle: lateBy(params, (books, attempt) => {
      const elapsed = books.elapsed(attempt);
      const rate = elapsed > 0 ? books.score(attempt) / elapsed : 0;
      return books.score(attempt) >= 1 ? 0 : 1 / rate;
    }),
  }),
};
