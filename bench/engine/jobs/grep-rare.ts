/** How many lines hold "broomwagon"? */
import { count, defineFlow, text } from "broomwagon/job";

export default defineFlow("grep-rare", (f) => {
  f.read("lines", text()).matching("broomwagon").total("count", count()).write(text());
});
