/** The number of lines that contain "broomwagon". */
import { count, defineFlow, text } from "broomwagon/job";

export default defineFlow("grep-rare", (f) => {
  f.read("lines", text()).matching("broomwagon").total("count", count()).write(text());
});
