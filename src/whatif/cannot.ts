import { evidenceOf } from "../diagnose/evidence/evidence.ts";
import { evidenceSentences } from "../diagnose/evidence/evidence-text.ts";
import { ROLE } from "../diagnose/schedule/planned.ts";
import { failuresText } from "./failures.ts";
import type { Fitted } from "./fitted.ts";
import { waitsText } from "./waits.ts";

/** What the answers for this log cannot include, in sentences. */
export function cannotOf({ plan, expectation, sample }: Fitted): readonly string[] {
  const { job } = plan;
  const evidence = evidenceOf(plan);
  const found = [
    ...(evidence === undefined ? [] : evidenceSentences(evidence)),
    ...failuresText(plan),
    ...(sample === undefined ? [] : [sample.said]),
  ];
  if (job.outcome === "cut-off") {
    found.push("The log ends before its job does: the answers are for what the log holds.");
  } else if (job.outcome !== "succeeded") {
    const ended = job.outcome === "failed" ? "failed" : "was killed";
    found.push(`The job ${ended}: a simulation cannot tell whether a policy would have saved it.`);
  }
  const gone = job.slots.filter(({ until = job.endedAt }) => until < job.endedAt);
  if (gone.some(({ executor }) => executor >= 0)) {
    found.push(
      "Executors came and went: they keep their recorded times, though a faster job would have " +
        "asked for others.",
    );
  } else if (gone.length > 0) {
    found.push(
      "Nodes went, or their slots changed, while the job ran: they do so at the recorded times " +
        "under every policy.",
    );
  }
  if (job.settings.speculation === true && job.settings.discipline === undefined) {
    found.push(
      "The log does not say by which rule copies were made: the baseline makes none. " +
        "A job's ID_conf.xml beside its .jhist says it.",
    );
  }
  const forbidding = job.phases.filter(({ forbidsCopies = false }) => forbidsCopies);
  if (forbidding.length > 0) {
    const names = forbidding.map(({ name }) => name).join(", ");
    found.push(`The job forbids copies of these phases, and no policy makes any: ${names}.`);
  }
  const alone = job.phases.filter(
    ({ attempts }, phase) => attempts.length > 0 && expectation.fits[phase] === undefined,
  );
  const ran = job.phases.filter(({ attempts }) => attempts.length > 0);
  if (alone.length > 0 && alone.length < ran.length) {
    const [has, keep] = alone.length === 1 ? ["has", "it keeps its"] : ["have", "they keep their"];
    found.push(
      `${alone.length} of ${ran.length} phases ${has} too few attempts to compare: ${keep} ` +
        "recorded durations.",
    );
  }
  return found;
}

/** What the answers take for granted because the log is silent. */
export function assumedOf({ plan, waits }: Fitted): readonly string[] {
  const { job } = plan;
  const assumed: string[] = [];
  if (job.lacks.has("progress")) {
    assumed.push("The log has no progress: policies that judge progress see it rise evenly.");
  }
  if (job.slots.length === 0) {
    assumed.push("The log names no slots: a node has as many as it used at once.");
  }
  const failed = plan.role.filter((role) => role === ROLE.fails).length;
  if (failed > 0) {
    assumed.push(
      failed === 1
        ? "1 attempt failed, was lost or killed, or lost its output: under every policy it ends " +
            "so after the same time, and its task runs again."
        : `${failed} attempts failed, were lost or killed, or lost their output: under every ` +
            "policy they end so after the same time, and their tasks run again.",
    );
  }
  const losers = plan.lostRace.filter((lost) => lost === 1).length;
  if (losers > 0) {
    const [who, it] = losers === 1 ? ["1 attempt was", "it"] : [`${losers} attempts were`, "they"];
    assumed.push(
      `${who} killed because another had succeeded: how long ${it} would have taken is drawn, as ` +
        "for what copies saved, and in that very run the interval holds 95 % of the draws.",
    );
  }
  assumed.push(...waitsText(waits));
  if (job.settings.speculation === undefined && job.settings.discipline === undefined) {
    assumed.push("The log does not say whether speculation was on: the baseline makes no copies.");
  }
  return assumed;
}

/** Why no policy is worth trying; undefined if there is something to try. */
export function nothingToTry({ plan, expectation, shape }: Fitted): string | undefined {
  const { job } = plan;
  const tasks = shape.phases.reduce((sum, phase) => sum + phase.tasks.length, 0);
  if (tasks === 1) return `${job.id} has a single task: no policy has anything to compare it with.`;
  if (expectation.fits.every((fit) => fit === undefined)) {
    return `No phase of ${job.id} has three attempts that succeeded: there is nothing to compare.`;
  }
  const slots = shape.nodes.flatMap((node) => node.slots);
  const count = slots.reduce((sum, slot) => sum + slot.count, 0);
  if (count === 1) return `${job.id} had one slot: no copy could run beside its original.`;
  return undefined;
}
