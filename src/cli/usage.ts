import { CAUSES } from "../diagnose/cause.ts";
import { command, type MakeCommand } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { line } from "./shell.ts";
import { wrap } from "./table.ts";

export const usageCommand: MakeCommand = (shell, end) =>
  command("usage", "print one page of usage for programs that call broomwagon", ["usage"]).action(
    () => {
      line(shell.out, PAGE);
      end(EXIT.ok);
    },
  );

const PAGE = `# broomwagon, for programs

Every command takes -o json or --json: one document on standard output, whose first key is "schema",
such as broomwagon/why@4. Keys are only added within a version. Times are milliseconds. Numbers that
JSON lacks are null. Messages go to standard error.

Exit codes: 0 success; 1 the job or a check failed; 2 usage; 3 a file is missing or malformed;
130 Ctrl-C. An error is one line: PLACE: what was expected.

broomwagon why HISTORY -o json [--job ID] [--query N] [--stage N] [--top N] [--no-intervals]
    [--fail-on 'lost>10%']
  Why was a past job late? HISTORY: event log of Spark, .jhist or JobTracker log of Hadoop, Rumen's
  JSON, a journal of broomwagon, URL of a job on a history server, - for standard input. Keys:
  verdict (a sentence per line, the first is the answer), responseMs, delayMs, usualMs,
  causes[{cause, ms, lowMs, highMs, couldBeMs, aloneMs, evidence[{what, ms}]}], hints[{kind, text}],
  parts[{part, ms, lowMs, highMs, evidence}], idle, slots, blocked, sizes,
  phases[{phase, operators}],
  units[{unit, title, tookMs, share, delayMs}] (queries of SQL, other jobs of Spark), outsideMs,
  nodes[{node, factor, verdict}], attempts, copies, lacks, notes, limits. The causes' ms sum to
  delayMs, the parts' to usualMs; usualMs + delayMs = responseMs.
${wrap(`Causes: ${CAUSES.join(", ")}.`, 96)
  .map((part) => `  ${part}`)
  .join("\n")}

broomwagon why HISTORY... --jobs -o json
  Lists jobs by lost time: jobs[{history, id, responseMs, delayMs}], unread[{history, reason}].

broomwagon whatif HISTORY -o json [--try none,late,yarn,spark-4,mantri] [--set PARAM=VALUE]
    [--seeds N] [--rho 0..1] [--again OTHER] [--advise] [--nodes N] [--slots N] [--anyway]
  The same job under other policies, simulated. Read gate.verdict first: good, rough or bad (exit 1
  without --anyway). verdict: sentences. Rows, if the job runs again: policy, byAttempt and byTask
  {ms, lowMs, highMs, slotShare, copies, wins}, between which the truth lies, and atRho where rho is
  estimated; thatRun: the same for the recorded run. Negative ms is faster; an interval that
  includes 0 is no difference. advice: {kind: set, settings[], ...} or {kind: none, reason}.

broomwagon compare A B -o json
  changeMs, causes[{cause, aMs, bMs, changeMs}] that sum to it, settings that differ, tasks{matched,
  medianChange, chance, rho, most[]}.

broomwagon run JOB --input FILES --output DIR -o json      run a job file on this machine
broomwagon simulate SCENARIO -o json                       simulate a scenario
broomwagon replay JOURNAL -o json                          verify and explain a run
broomwagon policies -o json                                disciplines, policies, parameters
broomwagon doctor -o json                                  what this machine has and lacks`;
