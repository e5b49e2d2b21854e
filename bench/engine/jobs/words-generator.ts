/** Words counted by a user's map in the form of a generator. */
import { defineJob, sum } from "broomwagon/job";

export default defineJob({
  *map(line) {
    for (const word of line.split(" ")) yield [word, 1];
  },
  reduce: sum(),
});
