import { type Driven, drive, driveOne, faultsOf, SHARED } from "./drive.ts";
import { flags, named, wholeNumber } from "./flags.ts";
import { LETTERS } from "./letters.ts";

/**
 * `npm run letter -- [--actions N] [--policy NAME] [--seed N]`: every policy against its letter,
 * until each rule of it has acted N times. With a seed, only that world. Exits with 1 on any
 * difference, or if a rule acts too rarely; with 2 on an unknown flag.
 */
const values = flags({
  actions: { type: "string", default: "200" },
  policy: { type: "string" },
  seed: { type: "string" },
});
const letters = named("policy", new Map(LETTERS.map((one) => [one.policy, one])), values.policy);
const actions = wholeNumber("actions", values.actions);
const seed = values.seed === undefined ? undefined : wholeNumber("seed", values.seed);

const row = ([policy = "", act = "", ...counts]: readonly string[]): string =>
  [policy.padEnd(14), act.padEnd(32), ...counts.map((count) => count.padStart(12))].join("");
const told = (count: number): string => count.toLocaleString("en");

process.stdout.write(`${row(["policy", "act", "actions", "worlds", "decisions", "differing"])}\n`);
const shared: Driven[] = [];
const all = { actions: 0, worlds: 0, decisions: 0, differing: 0 };
let isFaulty = false;
for (const letter of letters) {
  const driven = seed === undefined ? drive(letter, 1, actions) : driveOne(letter, seed);
  const { acts, policy, worlds, decisions, differing } = driven;
  let counts = [told(worlds), told(decisions), told(differing)];
  let name = policy;
  for (const [act, count] of acts) {
    process.stdout.write(`${row([name, act, told(count), ...counts])}\n`);
    all.actions += count;
    name = "";
    counts = [];
  }
  all.worlds += worlds;
  all.decisions += decisions;
  all.differing += differing;
  if (letter.world?.pools !== undefined) shared.push(driven);
  for (const fault of faultsOf(driven, seed === undefined ? actions : 0).slice(0, 5)) {
    process.stdout.write(`  ${fault}\n`);
    isFaulty = true;
  }
}
process.stdout.write(`${row(["all", "", ...Object.values(all).map(told)])}\n`);
if (shared.length > 0) {
  const cells = (heads: readonly string[]): string =>
    heads.map((head, i) => (i === 0 ? head.padEnd(14) : head.padStart(12))).join("");
  process.stdout.write(`\n${cells(["heartbeats", ...SHARED.map(([, header]) => header)])}\n`);
  for (const { policy, shared: what } of shared) {
    process.stdout.write(`${cells([policy, ...SHARED.map(([name]) => told(what[name]))])}\n`);
  }
}
process.exitCode = isFaulty ? 1 : 0;
