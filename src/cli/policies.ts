import { InputError } from "../base/input-error.ts";
import { SEATS, type Seat } from "../policy/discipline.ts";
import { hint, type Parameter, parametersOf } from "../policy/parameters.ts";
import { type NamedDiscipline, REGISTRY } from "../policy/registry.ts";
import { command, type Register } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { outputOption, type PrintFormat } from "./flags.ts";
import { jsonText } from "./json-text.ts";
import { line } from "./shell.ts";
import { pad, table, wrap } from "./table.ts";

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

/** The disciplines and policies to show: all, or those of one name. */
interface Shown {
  readonly disciplines: readonly NamedDiscipline[];
  readonly policies: readonly PolicyRow[];
}

export const registerPolicies: Register = (program, shell, end) => {
  const examples = ["policies", "policies mantri", "policies -o json"];
  program.addCommand(
    command("policies", "what there is for --discipline and --set", examples)
      .argument("[name]", "a discipline, which is shown with its policies, or a policy")
      .addOption(outputOption())
      .action((name: string | undefined, { format }: { format: PrintFormat }) => {
        const shown = name === undefined ? ALL : whatIsCalled(name);
        line(shell.out, format === "json" ? jsonText(shown) : asText(shown, shell.out.columns()));
        end(EXIT.ok);
      }),
  );
};

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

const ALL: Shown = { disciplines: REGISTRY.disciplines, policies: SEATS.flatMap(rowsOf) };

function rowsOf(seat: Seat): readonly PolicyRow[] {
  const policies = REGISTRY[seat].map(({ policy, meaning, page }) => ({
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
function whatIsCalled(name: string): Shown {
  const disciplines = ALL.disciplines.filter((named) => named.name === name);
  const policies = ALL.policies.filter(
    (row) => row.name === name || disciplines.some((named) => hasInSeat(named, row)),
  );
  if (policies.length > 0) return { disciplines, policies };
  const known = [...new Set([...ALL.disciplines, ...ALL.policies].map((one) => one.name))];
  const text = `neither a discipline nor a policy; known: ${known.join(", ")}`;
  throw new InputError("unknown-policy", `policies ${name}`, `${text}${hint(name, known)}`);
}

const hasInSeat = (named: NamedDiscipline, { seat, name }: PolicyRow): boolean =>
  namesIn(named, seat).includes(name);

function namesIn(named: NamedDiscipline, seat: Seat): readonly string[] {
  if (seat !== "data") return [named[seat]];
  return named.data.length > 0 ? named.data : [NO_DATA_POLICY.name];
}

function asText({ disciplines, policies }: Shown, width: number): string {
  const seats = SEATS.flatMap((seat) => {
    const rows = policies.filter((row) => row.seat === seat);
    if (rows.length === 0) return [];
    return [`${seat}: ${QUESTIONS[seat]}\n${rows.map((row) => policyText(row, width)).join("\n")}`];
  });
  const named = disciplines.length === 0 ? [] : [disciplinesText(disciplines)];
  return [...named, ...seats].join("\n\n");
}

function disciplinesText(disciplines: readonly NamedDiscipline[]): string {
  const columns = ["discipline", ...SEATS, "what it is"].map((title) => ({ title }));
  const rows = disciplines.map((named) => [
    named.name,
    ...SEATS.map((seat) => namesIn(named, seat).join("+")),
    named.meaning,
  ]);
  return table(columns, rows);
}

const INDENT = "    ";

function policyText(row: PolicyRow, width: number): string {
  const { name, meaning, source, page, needs, wants, parameters } = row;
  const indented = (text: string) => hanging(INDENT, text, width);
  return [
    `  ${name}: ${meaning}`,
    ...indented(`(${source}; ${page})`),
    ...(needs.length === 0 ? [] : indented(`needs ${needs.join(", ")}`)),
    ...(wants.length === 0 ? [] : indented(`makes use of ${wants.join(", ")}`)),
    ...parameterLines(parameters, width),
  ].join("\n");
}

function parameterLines(parameters: readonly Parameter[], width: number): readonly string[] {
  const widest = Math.max(0, ...parameters.map(({ name }) => name.length));
  const standards = Math.max(0, ...parameters.map((one) => String(one.default).length));
  return parameters.flatMap((one) => {
    const name = pad(one.name, widest, "left");
    const standard = pad(String(one.default), standards, "right");
    return hanging(`${INDENT}${name}  ${standard}  `, one.about, width);
  });
}

/** Text after a heading, with further lines indented below the text's start. */
function hanging(start: string, text: string, width: number): readonly string[] {
  const lines = wrap(text, Math.max(40, width - start.length));
  return lines.map((part, index) => `${index === 0 ? start : " ".repeat(start.length)}${part}`);
}
