/** The page's worker: it diagnoses and simulates the page's job again, and writes files. */
import { InputError } from "../../base/input-error.ts";
import { diagnose } from "../../diagnose/why.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { describeDiscipline } from "../../policy/policy.ts";
import { REGISTRY } from "../../policy/registry.ts";
import { jobFromCarried } from "../../report/page/carried-job.ts";
import { jobFrom } from "../../report/page/job-text.ts";
import { TRACE_FORMATS, type TraceFormat, type TraceJob } from "../../trace/model.ts";
import { whatIf } from "../../whatif/what-if.ts";
import { fileOf } from "./files.ts";
import type { Answered, Asked, Diagnosed, Offered } from "./messages.ts";

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
  switch (asked.kind) {
    case "job":
      take(asked);
      return;
    case "run":
      run(asked);
      return;
    case "diagnose":
      if (job !== undefined) say({ kind: "diagnosed", found: diagnosed(job, asked) });
      return;
    default: {
      const { name, document } = asked;
      say({ kind: "file", name, ...fileOf(name, document) });
    }
  }
}

/** A small job is carried as text, whole; a large one beside the page's table. */
function take({ bytes, document, ...asked }: Extract<Asked, { kind: "job" }>): void {
  const carried = new Uint8Array(bytes);
  const isWhole = carried[0] === "{".charCodeAt(0);
  job = isWhole ? jobFrom(new TextDecoder().decode(carried)) : jobFromCarried(carried, document);
  format = TRACE_FORMATS.find((one) => one === asked.format);
  say({ kind: "ready", offered: isWhole ? offered() : [] });
}

function run({ policy, sets, seeds }: Extract<Asked, { kind: "run" }>): void {
  if (job === undefined) return;
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

/** As `broomwagon why` with these limits, without intervals. */
function diagnosed(
  of: TraceJob,
  { limits, notes }: Extract<Asked, { kind: "diagnose" }>,
): Diagnosed {
  const source = format === undefined ? {} : { source: { format, files: [] } };
  const found = diagnose({ notes, ...source }, of, { limits, intervals: false });
  if (found.kind !== "why") throw new Error("The job cannot be diagnosed again.");
  const phases = of.phases.map(({ attempts: { task, ordinal } }, p) => {
    const { expectedMs = new Float64Array(), lostMs = new Float64Array() } = found.phases[p] ?? {};
    return { task, ordinal, expectedMs, lostMs };
  });
  return { limits, why: found.why, phases };
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
