import { flags, named, wholeNumber } from "../letter/flags.ts";
import { differenceText, faultsOf, type JudgedWorlds, judgeWorlds } from "./referee.ts";
import { REFEREES } from "./referees.ts";

/**
 * `npm run referee -- --worlds N [--seed S] [--referee NAME]`: judges N worlds of each referee,
 * from seed S on. Exits with 1 on any difference, or if a kind of decision did not occur in several
 * worlds; with 2 on a wrong flag.
 */
const values = flags({
  worlds: { type: "string", default: "20" },
  seed: { type: "string", default: "1" },
  referee: { type: "string" },
});
const byName = new Map(REFEREES.map((referee) => [referee.name, referee]));
const referees = named("referee", byName, values.referee);
const worlds = wholeNumber("worlds", values.worlds);
const first = wholeNumber("seed", values.seed);
const row = ([name = "", kind = "", count = "", of = "", differing = ""]: readonly string[]) =>
  `${name.padEnd(10)}${kind.padEnd(28)}${count.padStart(12)}${of.padStart(10)}` +
  `${differing.padStart(12)}\n`;
const told = (count: number): string => count.toLocaleString("en");

process.stdout.write(row(["referee", "decision", "compared", "worlds", "differing"]));
for (const referee of referees) {
  const judged = judgeWorlds(referee, first, worlds);
  show(judged);
  // A kind may be missing in a single world.
  const faults = worlds === 1 ? judged.differences.map(differenceText) : faultsOf(judged);
  for (const fault of faults.slice(0, 5)) process.stdout.write(`  ${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}

function show({ referee, compared, differences, ...judged }: JudgedWorlds): void {
  let cells = [told(judged.worlds), told(differences.length)];
  let title = referee;
  for (const [kind, count] of compared) {
    process.stdout.write(row([title, kind, told(count), ...cells]));
    title = "";
    cells = [];
  }
}
