// Asks why a past Spark job was slow, and which settings would have helped.
import { whatIf, why } from "broomwagon";

const [, , history = "fixtures/pairs/spark/off.ndjson.zst"] = process.argv;

const { verdict, responseMs, delayMs } = await why(history, { intervals: false });
console.log(verdict);
console.log(`${Math.round((100 * delayMs) / responseMs)} % of ${responseMs} ms were lost`);

const { advice } = await whatIf(history, { advise: true, try: "spark-4" });
console.log(advice.kind === "set" ? `Set ${advice.settings.join(", ")}` : advice.reason);
