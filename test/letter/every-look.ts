import type { Books } from "./books.ts";
import type { Ask, Rules } from "./letter.ts";

/** Looks when the first job comes, and then once per interval while a job is live. */
export function everyLook(intervalMs: number, look: (books: Books) => readonly Ask[]): Rules {
  let next: number | undefined;
  return {
    look(books) {
      if (books.liveJobs.length === 0) {
        next = undefined;
        return undefined;
      }
      if (next !== undefined && books.now < next) return undefined;
      next = books.now + intervalMs;
      return look(books);
    },
    dueAt: () => next,
  };
}
