/** A worker of the page that runs a recorded job again, in the project's own simulator. */
import { InputError } from "../../base/input-error.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { describeDiscipline } from "../../policy/policy.ts";
import { REGISTRY } from "../../policy/registry.ts";
import { jobFrom } from "../../report/page/job-text.ts";
import { TRACE_FORMATS, type TraceFormat, type TraceJob } from "../../trace/model.ts";
import { whatIf } from "../../whatif/what-if.ts";
import type { Answered, Asked, Offered } from "./messages.ts";

let job: TraceJob | undefined;
let format: TraceFormat | undefined;

const say = (answer: Answered): void => self.postMessage(answer);

self.addEventListener("message", ({ data }: MessageEvent<Asked>) => {
  try {
    answer(data);
  } catch (error) {
    const isOurs = error instanceof InputError;
    say({ kind: "failed", reason: isOurs ? error.message : String(error) });
  }
});

function answer(asked: Asked): void {
  if (asked.kind === "job") {
    job = jobFrom(asked.text);
    format = TRACE_FORMATS.find((one) => one === asked.format);
    say({ kind: "ready", offered: offered() });
    return;
  }
  if (job === undefined) return;
  const { policy, sets, seeds } = asked;
  const found = whatIf(job, {
    policies: [{ policy, sets }],
    seeds,
    anyway: true,
    ...(format !== undefined && { source: { format } }),
    onRun: (done, all) => {
      if (done % 5 === 0) say({ kind: "progress", done, all });
    },
  });
  say({ kind: "answer", whatif: found });
}

/** Disciplines that make copies of their own accord, with the numbers of their speculation. */
function offered(): readonly Offered[] {
  return REGISTRY.disciplines.map(({ name }): Offered => {
    const { params } = describeDiscipline(parseDiscipline(name)).speculation;
    return {
      policy: name,
      params: Object.entries(params).flatMap(([param, value]) =>
        typeof value === "number" && Number.isFinite(value) ? [{ name: param, value }] : [],
      ),
    };
  });
}
