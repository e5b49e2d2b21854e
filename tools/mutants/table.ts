import { judgedAs } from "./judged.ts";
import { keyOf } from "./mutant.ts";
import type { Result } from "./results.ts";
import { NETS, type Net } from "./verdict.ts";

type Asked = Result & { readonly kind: "asked" };

/** The lines of the table: each net apart, all together, and who survived. */
export function table(results: readonly Result[]): readonly string[] {
  const asked = results.filter(isAsked);
  const live = asked.filter(isLive);
  const invalid = results.length - asked.length;
  const equal = asked.length - live.length;
  const rows = NETS.map((net) =>
    row(
      net,
      live.filter((result) => concerns(net, result)),
      [net],
    ),
  );
  const survivors = survivorsOf(results);
  const missed = live.filter((result) => concerns("letter", result) && !isKilled(result, "letter"));
  return [
    `${asked.length} mutants; ${equal} of them equal; ${invalid} more had incorrect types`,
    "",
    cells(["net", "killed", "of", "share"]),
    ...rows,
    row("all", live, NETS),
    ...list("survive every net", survivors),
    ...list(
      "survive the letter, which states the rule",
      missed.filter((one) => !survivors.includes(one)),
    ),
  ];
}

/** The mutants that no net kills, without those that are judged to be equal. */
export const survivorsOf = (results: readonly Result[]): readonly Asked[] =>
  results
    .filter(isAsked)
    .filter(isLive)
    .filter((one) => !NETS.some((net) => isKilled(one, net)));

const isAsked = (result: Result): result is Asked => result.kind === "asked";

const isLive = ({ mutant }: Asked): boolean => judgedAs(mutant)?.is !== "equal";

/** Whether the net runs through the changed place, and states what is changed. */
const concerns = (net: Net, { mutant, verdicts }: Asked): boolean =>
  verdicts[net].how !== "not reached" && !(net === "letter" && judgedAs(mutant)?.is === "unstated");

const isKilled = ({ verdicts }: Asked, net: Net): boolean => verdicts[net].how === "killed";

function row(name: string, results: readonly Asked[], nets: readonly Net[]): string {
  const killed = results.filter((result) => nets.some((net) => isKilled(result, net))).length;
  const share = results.length === 0 ? "" : `${((100 * killed) / results.length).toFixed(1)} %`;
  return cells([name, String(killed), String(results.length), share]);
}

const cells = ([name = "", ...numbers]: readonly string[]): string =>
  name.padEnd(10) + numbers.map((number) => number.padStart(9)).join("");

function list(title: string, results: readonly Asked[]): readonly string[] {
  if (results.length === 0) return [];
  return ["", `${results.length} ${title}:`, ...results.map(({ mutant }) => `  ${keyOf(mutant)}`)];
}
