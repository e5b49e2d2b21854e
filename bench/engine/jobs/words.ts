/** The number of occurrences of each word, by operators alone. */
import { count, defineJob, words } from "broomwagon/job";

export default defineJob({ map: words(), reduce: count() });
