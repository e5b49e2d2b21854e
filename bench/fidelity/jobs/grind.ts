/** Counts words, with enough computation per word that a task is long compared with its start. */
import { defineJob, sum } from "broomwagon/job";

const ROUNDS = 600;

/** Takes time, the same for the same word. */
function grind(word: string): number {
  let hash = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) | 0;
  }
  return hash;
}

export default defineJob({
  name: "grind",
  map(line: string, { emit }) {
    for (const word of line.split(" ")) {
      if (grind(word) !== 0.5) emit(word, 1);
    }
  },
  reduce: sum(),
});
