/** Words and how often each occurs, by operators alone. */
import { count, defineJob, words } from "broomwagon/job";

export default defineJob({ map: words(), reduce: count() });
