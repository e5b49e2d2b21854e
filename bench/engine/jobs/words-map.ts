/** Words counted by a user's own map over strings, which emits each word by `emit`. */
import { defineJob, sum } from "broomwagon/job";

export default defineJob({
  map(line, { emit }) {
    for (const word of line.split(" ")) emit(word, 1);
  },
  reduce: sum(),
});
