/** The page's worker: it diagnoses and simulates the page's job again, and writes files. */
import { InputError } from "../../base/input-error.ts";
import { cell } from "../../base/rows.ts";
import { diagnose } from "../../diagnose/why.ts";
import { TRACE_FORMATS, type TraceFormat, type TraceJob } from "../../history/model.ts";
import { jobFromCarried } from "../../report/page/carried-job.ts";
import { SIMULATED_MAX } from "../../report/page/document.ts";
import { pageUnits } from "../../report/page/unit-table.ts";
import type { WhatIf, WhatIfRow } from "../../whatif/document.ts";
import { inWords } from "../../whatif/in-words.ts";
import { type Sampler, sampleOf } from "../../whatif/sample.ts";
import { tryPolicies } from "../../whatif/try-policies.ts";
import { fileOf } from "./files.ts";
import type { Answered, Asked, Diagnosed } from "./messages.ts";
import { Offers } from "./offers.ts";
import { svgOf } from "./svg.ts";

let job: TraceJob | undefined;
let format: TraceFormat | undefined;
/** The job's submission, in the page's time. */
let submittedAt = 0;
let offers: Offers | undefined;
/** All rows that were answered so far. */
let rows: readonly WhatIfRow[] = [];

/** A page is not to wait longer than for a job that it simulates whole. */
const sampler: Sampler = (plan, shape) => sampleOf(plan, shape, SIMULATED_MAX);

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
    case "drawing": {
      const { name, drawing } = asked;
      say({ kind: "file", name, type: "image/svg+xml", text: svgOf(drawing) });
      return;
    }
    default: {
      const { name, document } = asked;
      say({ kind: "file", name, ...fileOf(name, document) });
    }
  }
}

function take({ bytes, document, ...asked }: Extract<Asked, { kind: "job" }>): void {
  const carried = jobFromCarried(new Uint8Array(bytes), document);
  job = carried.job;
  submittedAt = cell(document.head.jobs[document.head.whyJob ?? 0]).submittedAt;
  format = TRACE_FORMATS.find((one) => one === asked.format);
  offers = carried.isSimulated ? new Offers(job, format && { format }) : undefined;
  say({ kind: "ready", offered: offers?.all ?? [] });
}

function run({ policy, sets, seeds }: Extract<Asked, { kind: "run" }>): void {
  if (job === undefined || offers === undefined) return;
  const found = tryPolicies(job, {
    policies: [offers.trial(policy, sets)],
    seeds,
    sampler,
    ...(format !== undefined && { source: { format } }),
    onRun: (done, all) => {
      if (done % 5 === 0) say({ kind: "progress", done, all });
    },
  });
  say({ kind: "answer", whatif: withEarlier(found) });
}

/** The answer with the rows of earlier answers; an equal question reuses its row. */
function withEarlier(found: WhatIf): WhatIf {
  if (found.rows.length === 0) return found;
  const isAgain = ({ policy }: WhatIfRow): boolean =>
    found.rows.some((row) => row.policy === policy);
  rows = [...rows.filter((row) => !isAgain(row)), ...found.rows];
  return inWords({ ...found, rows });
}

/** As `broomwagon why` with these limits, without intervals. */
function diagnosed(
  of: TraceJob,
  { limits, notes }: Extract<Asked, { kind: "diagnose" }>,
): Diagnosed {
  const source = format === undefined ? {} : { source: { format, files: [] } };
  const found = diagnose({ notes, ...source }, of, { limits, intervals: false });
  if (found.kind !== "why") throw new Error("The job cannot be diagnosed again.");
  const phases = found.phases.map(({ expectedMs, delayMs }) => ({ expectedMs, delayMs }));
  return { limits, why: found.why, ...pageUnits(of, found.why, submittedAt), phases };
}
