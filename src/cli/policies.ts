import { hint } from "../base/hint.ts";
import { InputError } from "../base/input-error.ts";
import { LISTS_ALL, type Parameter, parametersOf } from "../policy/parameters.ts";
import type { NamedDiscipline, Registry } from "../policy/registry.ts";
import { SEATS, type Seat } from "../policy/seat.ts";
import { command, type MakeCommand } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { outputOption, type PrintFormat } from "./flags.ts";
import { jsonText } from "./json-text.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { line } from "./shell.ts";
import { hanging, pad, table, wrap } from "./table.ts";

const QUESTIONS: Record<Seat, string> = {
  sharing: "whose turn?",
  order: "which task?",
  speculation: "another copy?",
  data: "where should data be?",
  estimator: "how long?",
  detection: "who is dead?",
};

/** One policy, as the text and the JSON describe it. */
interface PolicyRow {
  readonly seat: Seat;
  readonly name: string;
  readonly meaning: string;
  readonly source: string;
  readonly page: string;
  /** The capabilities that the policy needs, and those that it uses where the host has them. */
  readonly needs: readonly string[];
  readonly wants: readonly string[];
  readonly parameters: readonly Parameter[];
}

/** The disciplines and policies to show: all, or those with the given name. */
interface Shown {
  readonly disciplines: readonly NamedDiscipline[];
  readonly policies: readonly PolicyRow[];
}

export const policiesCommand: MakeCommand = (shell, end) =>
  command("policies", "list disciplines, policies and parameters", [
    "policies",
    "policies mantri",
    "policies --all",
    "policies -o json",
  ])
    .argument("[name]", "describe one discipline with its policies, or one policy")
    .option("--all", "describe every policy and its parameters")
    .addOption(policiesOption())
    .addOption(outputOption())
    .action(async (name: string | undefined, { all: isAll, format, ...flags }: Flags) => {
      const all = allIn(await registryFrom(flags));
      const shown = name === undefined ? all : whatIsCalled(name, all);
      const width = shell.out.columns();
      const isList = name === undefined && isAll !== true;
      const text = () => (isList ? listText(all, width) : asText(shown, width));
      line(shell.out, format === "json" ? jsonText("policies", shown) : text());
      end(EXIT.ok);
    });

interface Flags extends PolicyFlags {
  readonly all?: boolean;
  readonly format: PrintFormat;
}

/** What the core does by itself where no policy has the seat. */
const NO_DATA_POLICY: PolicyRow = {
  seat: "data",
  name: "none",
  meaning: "a lost output is made again at once while readers need it; built into the core",
  source: "Hadoop 1.2.1",
  page: "docs/papers/elephant.md",
  needs: [],
  wants: [],
  parameters: [],
};

const allIn = (registry: Registry): Shown => ({
  disciplines: registry.disciplines,
  policies: SEATS.flatMap((seat) => rowsOf(seat, registry)),
});

function rowsOf(seat: Seat, registry: Registry): readonly PolicyRow[] {
  const policies = registry[seat].map(({ policy, meaning, page }) => ({
    seat,
    name: policy.name,
    meaning,
    source: policy.source,
    page,
    needs: policy.needs,
    wants: policy.wants ?? [],
    parameters: parametersOf(policy),
  }));
  return seat === "data" ? [NO_DATA_POLICY, ...policies] : policies;
}

/** The discipline of this name with the policies in its seats, and every policy of this name. */
function whatIsCalled(name: string, all: Shown): Shown {
  const disciplines = all.disciplines.filter((named) => named.name === name);
  const policies = all.policies.filter(
    (row) => row.name === name || disciplines.some((named) => hasInSeat(named, row)),
  );
  if (policies.length > 0) return { disciplines, policies };
  const known = [...new Set([...all.disciplines, ...all.policies].map((one) => one.name))];
  const text = `neither a discipline nor a policy${hint(name, known) || ";"} ${LISTS_ALL}`;
  throw new InputError("unknown-policy", `policies ${name}`, text);
}

const hasInSeat = (named: NamedDiscipline, { seat, name }: PolicyRow): boolean =>
  namesIn(named, seat).includes(name);

function namesIn(named: NamedDiscipline, seat: Seat): readonly string[] {
  if (seat !== "data") return [named[seat]];
  return named.data.length > 0 ? named.data : [NO_DATA_POLICY.name];
}

/** One line for each discipline. */
function listText(all: Shown, width: number): string {
  const columns = ["discipline", "what it does", "source"].map((title) => ({ title }));
  const rows = all.disciplines.map(({ name, meaning, source = "" }) => [name, meaning, source]);
  const more =
    "`broomwagon policies NAME` describes one with its parameters, `broomwagon policies --all` " +
    "every policy.";
  return [table(columns, rows, width), "", ...wrap(more, width)].join("\n");
}

function asText({ disciplines, policies }: Shown, width: number): string {
  const seats = SEATS.flatMap((seat) => {
    const rows = policies.filter((row) => row.seat === seat);
    if (rows.length === 0) return [];
    return [`${seat}: ${QUESTIONS[seat]}\n${rows.map((row) => policyText(row, width)).join("\n")}`];
  });
  const named = disciplines.length === 0 ? [] : [disciplinesText(disciplines, width)];
  return [...named, ...seats].join("\n\n");
}

function disciplinesText(disciplines: readonly NamedDiscipline[], width: number): string {
  // One discipline has a line for each seat where the table is too wide.
  const isOne = disciplines.length === 1;
  const seats = SEATS.map((title) => ({ title, ...(!isOne && { leaveOut: SEAT_RANKS[title] }) }));
  const columns = [{ title: "discipline" }, ...seats, { title: "what it does" }];
  const rows = disciplines.map((named) => [
    named.name,
    ...SEATS.map((seat) => namesIn(named, seat).join("+")),
    named.meaning,
  ]);
  return table(columns, rows, width);
}

/** The seats in which most disciplines have the same policy are left out first. */
const SEAT_RANKS: Record<Seat, number> = {
  detection: 1,
  estimator: 2,
  data: 3,
  sharing: 4,
  order: 5,
  speculation: 6,
};

const INDENT = "    ";
/** Descriptions of parameters that would get less room than this stand below the names. */
const ABOUT_MIN = 30;

function policyText(row: PolicyRow, width: number): string {
  const { name, meaning, source, page, needs, wants, parameters } = row;
  const indented = (text: string) => hanging(INDENT, text, width);
  return [
    ...hanging(`  ${name}: `, meaning, width),
    ...indented(`(${source}; ${page})`),
    ...(needs.length === 0 ? [] : indented(`needs ${needs.join(", ")}`)),
    ...(wants.length === 0 ? [] : indented(`uses if present: ${wants.join(", ")}`)),
    ...parameterLines(parameters, width),
  ].join("\n");
}

function parameterLines(parameters: readonly Parameter[], width: number): readonly string[] {
  const widest = Math.max(0, ...parameters.map(({ name }) => name.length));
  const standards = Math.max(0, ...parameters.map((one) => String(one.default).length));
  return parameters.flatMap((one) => {
    const name = pad(one.name, widest, "left");
    const standard = pad(String(one.default), standards, "right");
    const start = `${INDENT}${name}  ${standard}  `;
    if (width - start.length >= ABOUT_MIN) return hanging(start, one.about, width);
    return [start.trimEnd(), ...hanging(`${INDENT}  `, one.about, width)];
  });
}
