import type { Mutant } from "./mutant.ts";

/** A survivor that no test can kill, or that is no matter of the letter. */
export interface Judged {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /**
   * "equal": every net gives the same answers, since the program does the same. "unstated": what
   * changes is no rule that the letter states, so other nets must kill it.
   */
  readonly is: "equal" | "unstated";
  readonly reason: string;
}

/** The survivors that have been judged by hand. */
export const JUDGED: readonly Judged[] = [
  {
    path: "src/core/loop/seats.ts",
    before: "this.all.filter((seat) => seat !== this.estimator || this.anyoneJudges),",
    after: "this.all.filter((seat) => seat === this.estimator || this.anyoneJudges),",
    is: "unstated",
    reason: "Only disciplines differ that ask for no estimate, and those copy nothing.",
  },
  {
    path: "src/core/scheduler.ts",
    before: "return false;",
    after: "return true;",
    is: "unstated",
    reason: "The host gets a needless wake, and the letter compares no wakes.",
  },
  {
    path: "src/policy/order/spark.ts",
    before: "freshByIndex: true,",
    after: "freshByIndex: false,",
    is: "equal",
    reason: "The flag saves time: tasks without records are taken in the order of their index.",
  },
  {
    path: "src/core/state/attempt-table.ts",
    before: "this.#version += 1;",
    after: "this.#version += 2;",
    is: "equal",
    reason: "Versions are compared for equality alone.",
  },
  {
    path: "src/policy/estimate/mantri/path.ts",
    before: "const up = links(rack)?.upBytesPerMs ?? 0;",
    after: "const up = links(rack)?.upBytesPerMs ?? 1;",
    is: "equal",
    reason: "A rack without a sample has no downlink either, and then the factor is 1.",
  },
  {
    path: "src/core/state/records.ts",
    before: "place = 0;",
    after: "place = 1;",
    is: "equal",
    reason: "A phase gets its place with its job, before it has an attempt.",
  },
  {
    path: "src/policy/estimate/mantri/process-rates.ts",
    before: "for (let i = 0; i < count; i++) {",
    after: "for (let i = 0; i <= count; i++) {",
    is: "equal",
    reason: "The last place would be (count + 0.5) / count of the length: there is no value there.",
  },
  {
    path: "src/policy/shared/first-copy.ts",
    before: "return explains ? whyNone(view, node, search) : NOTHING_RUNS;",
    after: "return !(explains) ? whyNone(view, node, search) : NOTHING_RUNS;",
    is: "unstated",
    reason: "The reason of a refusal changes, and no decision: the letter compares decisions.",
  },
  {
    path: "src/core/state/slots.ts",
    before: "counts[kind] = counts[kind]! + change;",
    after: "",
    is: "unstated",
    reason: "The wait for a preferred place alone reads a rack's free slots, and is not compared.",
  },
  {
    path: "src/core/state/share.ts",
    before: "restart: 0,",
    after: "restart: 1,",
    is: "unstated",
    reason: "Only a policy of a user can ask for this count.",
  },
  {
    path: "src/core/loop/wakes.ts",
    before: "this.#due.clear();",
    after: "",
    is: "unstated",
    reason: "The host gets a needless wake, and the letter compares no wakes.",
  },
  {
    path: "src/policy/speculation/mantri/pseudocode-1.ts",
    before: "return { kept: fastest.slice(0, of.alpha), killed: fastest.slice(of.alpha) };",
    after: "return { kept: fastest.slice(1, of.alpha), killed: fastest.slice(of.alpha) };",
    is: "unstated",
    reason: "A number of the reason comes from the copies that stay, and no decision.",
  },
  {
    path: "src/policy/sharing/fair/shares.ts",
    before: "if (isNeedy(claim)) return running / Math.max(desired(claim), 1);",
    after: "if (isNeedy(claim)) return running / Math.max(desired(claim), 2);",
    is: "equal",
    reason: "Shares are whole slots: a pool in need of less than two runs nothing, and 0 stays 0.",
  },
  {
    path: "src/core/statistics/progress.ts",
    before: "if (score >= 1 || perMs === 0) return stands;",
    after: "if (score >= 1 && perMs === 0) return stands;",
    is: "equal",
    reason: "A whole score is looked at again sooner; a rate of 0 gives the same answer.",
  },
  {
    path: "src/policy/speculation/esplash/candidates.ts",
    before: "const from = levelOf(memory, attempt.node, params.newNodesAreLowest) ?? 1;",
    after: "const from = levelOf(memory, attempt.node, params.newNodesAreLowest) ?? 0;",
    is: "unstated",
    reason: "Levels begin at 1: a number in the reason of a refusal changes, and no decision.",
  },
  {
    path: "src/policy/speculation/yarn/judge.ts",
    before: "return true;",
    after: "return false;",
    is: "unstated",
    reason: "Only the speculator without Hadoop's errors reads it, and that one has no letter.",
  },
  {
    path: "src/policy/speculation/esplash/params.ts",
    before: "default: 0.75,",
    after: "default: (0.75 * 1.25),",
    is: "unstated",
    reason: "The levels of the letter are configured, so none are found from performance.",
  },
  {
    path: "src/core/loop/jobs.ts",
    before: "readyPhases(core, job);",
    after: "",
    is: "equal",
    reason: "The loop that has called it, or the call before it, readies the same phases.",
  },
  {
    path: "src/core/scheduler.ts",
    before: "if (state.inGap.size > 0) beginAfterGaps(core);",
    after: "",
    is: "unstated",
    reason: "Recorded jobs alone have gaps, which no paper of a letter knows.",
  },
  {
    path: "src/core/loop/fill-node.ts",
    before: 'return as === "speculative" ? "took-far" : "took-near";',
    after: 'return as !== "speculative" ? "took-far" : "took-near";',
    is: "unstated",
    reason: "Requests are offered one slot at a time, and limits per heartbeat are not compared.",
  },
  {
    path: "src/core/loop/fill-node.ts",
    before: 'if (allowed === "any" && isOfNoUse(core, job, kind)) return "declined";',
    after: 'if (allowed !== "any" && isOfNoUse(core, job, kind)) return "declined";',
    is: "unstated",
    reason: "Only a job whose maps read another phase leaves slots for maps before it has any.",
  },
  {
    path: "src/core/loop/apply.ts",
    before: "if (node.free(kind) > most) setFree(core.state, node, kind, most);",
    after: "if (node.free(kind) >= most) setFree(core.state, node, kind, most);",
    is: "equal",
    reason: "To set the number of free slots that a node has changes nothing.",
  },
  {
    path: "src/core/loop/circles.ts",
    before: "if (looksAt === Number.POSITIVE_INFINITY) core.wakes.clear(CIRCLES);",
    after: "if (!(looksAt === Number.POSITIVE_INFINITY)) core.wakes.clear(CIRCLES);",
    is: "unstated",
    reason: "The worlds of the letter end long before a reader that waits in a circle is killed.",
  },
  {
    path: "src/core/state/crossings.ts",
    before: "if (isCrossed) include(this.readers, this.#readersOf, phase);",
    after: "",
    is: "unstated",
    reason: "The worlds of the letter end long before a reader that waits in a circle is killed.",
  },
  {
    path: "src/policy/speculation/esplash/params.ts",
    before: 'k: { default: 4, min: 1, max: 100, whole: true, about: "most levels to find (4)" },',
    after: 'k: { default: 3, min: 1, max: 100, whole: true, about: "most levels to find (4)" },',
    is: "unstated",
    reason: "The levels of the letter are configured, so none are found from performance.",
  },
  {
    path: "src/core/state/waiting.ts",
    before: "if (this.#head > 64 && this.#head * 2 > this.#tasks.length) this.#sweep();",
    after: "if (this.#head > 64 && this.#head * 3 > this.#tasks.length) this.#sweep();",
    is: "equal",
    reason: "A sweep forgets dead entries before the head, which nothing reads, at another time.",
  },
  {
    path: "src/core/statistics/node-scores.ts",
    before: "const ROUNDING = 1e-9;",
    after: "const ROUNDING = (1e-9 * 0.8);",
    is: "equal",
    reason: "Any slack far above the rounding of a sum gives the same rank, whose score is exact.",
  },
  {
    path: "src/core/statistics/progress.ts",
    before: "return { at, changedAt: at, stage, score: 1, bytesRead, bytesWritten, records };",
    after: "return { at, changedAt: at, stage, score: 0, bytesRead, bytesWritten, records };",
    is: "unstated",
    reason: "Of a succeeded attempt's progress the letter's policies read the records alone.",
  },
  {
    path: "src/model/job.ts",
    before: '{ name: "copy", share: 1 / 3 },',
    after: '{ name: "copy", share: 1 * 3 },',
    is: "unstated",
    reason: "The jobs of the letter tell their own stages.",
  },
  {
    path: "src/policy/speculation/hadoop.ts",
    before: "idleNeedsAttempts: true,",
    after: "idleNeedsAttempts: false,",
    is: "equal",
    reason: "The flag saves time: where no attempt runs, the policy refuses.",
  },
  {
    path: "src/policy/speculation/late-0.21.ts",
    before: "idleNeedsAttempts: true,",
    after: "idleNeedsAttempts: false,",
    is: "equal",
    reason: "The flag saves time: where no attempt runs, the policy refuses.",
  },
  {
    path: "src/policy/speculation/mantri/look.ts",
    before: "const LOOK_EVERY_MS_MIN = 100;",
    after: "const LOOK_EVERY_MS_MIN = (100 + 1);",
    is: "unstated",
    reason: "When within a period a phase is looked at, the letter leaves open.",
  },
  {
    path: "src/policy/speculation/yarn/memory.ts",
    before: "const left = (unreplaced.get(task) ?? 0) - 1;",
    after: "const left = (unreplaced.get(task) ?? 0) - 0;",
    is: "unstated",
    reason: "Only a host that starts attempts by itself has attempts that nothing has replaced.",
  },
  {
    path: "src/policy/data/mantri-placement/greedy.ts",
    before: "placement[task] = best.rack;",
    after: "",
    is: "unstated",
    reason:
      "The letter states where the search ends, at a placement no step relieves, not its start.",
  },
  {
    path: "src/policy/speculation/late/extensions.ts",
    before: "if (params.copiesMax === 1) return [];",
    after: "",
    is: "equal",
    reason: "The line saves time: every task of the list has the one copy that it may have.",
  },
  {
    path: "src/policy/sharing/capacity/limits.ts",
    before: "activeUsers: memory.activeUsers.get(queue)?.[kind] ?? 0,",
    after: "activeUsers: memory.activeUsers.get(queue)?.[kind] ?? 1,",
    is: "equal",
    reason: "The share of a user divides by 1 at least.",
  },
  {
    path: "src/core/state/attempt-table.ts",
    before: "scorePerMs: 0,",
    after: "scorePerMs: 1,",
    is: "equal",
    reason: "The line is returned only for a row whose four numbers are its own.",
  },
  {
    path: "src/policy/sharing/fifo.ts",
    before: "if (params.padding === 0 || memory.needs.size === 0) return false;",
    after: "if (params.padding === 0 && memory.needs.size === 0) return false;",
    is: "equal",
    reason: "The line saves time: with no slots held back, two free ones are not padding.",
  },
  {
    path: "src/core/loop/pick.ts",
    before: "this.#tooFar = true;",
    after: "this.#tooFar = false;",
    is: "unstated",
    reason: "Contended slots and waits for locality are in one discipline in no letter.",
  },
  {
    path: "src/core/statistics/progress.ts",
    before: "const before = curve.segments[i - 1];",
    after: "const before = curve.segments[i + 1];",
    is: "unstated",
    reason: "No policy of a letter reads when a score last changed.",
  },
  {
    path: "src/policy/speculation/mapreduce.ts",
    before: "idleNeedsAttempts: true,",
    after: "idleNeedsAttempts: false,",
    is: "equal",
    reason: "The flag saves time: where no attempt runs, the policy refuses.",
  },
  {
    path: "src/core/loop/fill-node.ts",
    before: 'if (launchAlone(core, job, node, slot)) return "took-near";',
    after: "",
    is: "equal",
    reason: "A task without a record is launched as the line below it launches any other.",
  },
];

/** Lines about which the same holds, whatever is changed in them. */
export const JUDGED_LINES: readonly (Pick<Judged, "is" | "reason"> & {
  readonly path: RegExp;
  readonly line: RegExp;
})[] = [
  {
    path: /./,
    line: /^assert\(/,
    is: "equal",
    reason: "An assertion holds wherever the program is right.",
  },
  {
    path: /^src\/policy\/estimate\/mantri\//,
    line: /./,
    is: "unstated",
    reason:
      "The letter's worlds tell Mantri's estimates; the referee of the equations states them.",
  },
  {
    path: /^src\/core\/validate\//,
    line: /./,
    is: "unstated",
    reason: "The letter sends no impossible event.",
  },
  {
    path: /^src\/core\//,
    line: /\bcore\.(wants|record|pass)\b|\b(record(End|Start|Launch|Output)|pass[A-Z]\w*)\(/,
    is: "unstated",
    reason: "A fact, or the reason of a refusal: the letter compares actions.",
  },
];

/** What a person has said about the mutant: about itself, or about its line. */
export const judgedAs = (mutant: Mutant): Pick<Judged, "is" | "reason"> | undefined =>
  JUDGED.find(
    ({ path, before, after }) =>
      path === mutant.path && before === mutant.before && after === mutant.after,
  ) ?? JUDGED_LINES.find(({ path, line }) => path.test(mutant.path) && line.test(mutant.before));
