import type { RunEvent } from "../hosts/engine/index.ts";
import { seconds } from "../report/quantity.ts";
import { whyText } from "../report/why-text.ts";
import { brief, sentenceOf } from "./display/sentence.ts";

const LOGGED: ReadonlySet<RunEvent["kind"]> = new Set([
  "job-submitted",
  "node-lost",
  "node-crashed",
  "waiting",
  "attempt-still",
]);

/** The lines of a server about its jobs: each with its time, each end with its job and reason. */
export class ServeLog {
  readonly #submittedAt = new Map<string, number>();
  /** The newest failure of each job. */
  readonly #failures = new Map<string, string>();

  /** The event's line, if the event is notable. */
  line(event: RunEvent): string | undefined {
    const text = this.#text(event);
    return text === undefined ? undefined : `${seconds(event.at)}  ${text}`;
  }

  #text(event: RunEvent): string | undefined {
    if (event.kind === "job-submitted") this.#submittedAt.set(event.job, event.at);
    if (event.kind === "attempt-ended" && event.how.kind === "failed") {
      const { place, message } = event.how;
      const at = place === undefined ? "" : ` at ${place}`;
      const [job = ""] = event.attempt.split("/");
      this.#failures.set(job, `${brief(event.attempt)} failed${at}: ${message}`);
    }
    if (event.kind === "job-ended") return this.#end(event);
    const text = LOGGED.has(event.kind) ? sentenceOf(event)?.text : undefined;
    return text !== undefined && event.kind === "waiting" ? `job ${event.job}: ${text}` : text;
  }

  #end({ at, job, outcome, why }: Extract<RunEvent, { kind: "job-ended" }>): string {
    const tookMs = at - (this.#submittedAt.get(job) ?? at);
    const failure = this.#failures.get(job);
    this.#submittedAt.delete(job);
    this.#failures.delete(job);
    const how = `job ${job} ${outcome} after ${seconds(tookMs)}`;
    if (outcome === "succeeded") return how;
    const last = failure === undefined || outcome !== "failed" ? "" : `; ${failure}`;
    return `${how}: ${whyText(why)}${last}`;
  }
}
