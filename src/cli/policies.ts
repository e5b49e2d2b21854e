import { SEATS, type Seat } from "../policy/discipline.ts";
import { type Parameter, parametersOf } from "../policy/parameters.ts";
import { type NamedDiscipline, REGISTRY } from "../policy/registry.ts";
import { command, type Register } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { type Format, outputOption } from "./flags.ts";
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

/** One policy, as the table and the JSON tell it. */
interface PolicyRow {
  readonly seat: Seat;
  readonly name: string;
  readonly meaning: string;
  readonly source: string;
  readonly needs: readonly string[];
  readonly parameters: readonly Parameter[];
}

export const registerPolicies: Register = (program, shell, end) => {
  program.addCommand(
    command("policies", "what there is for --discipline and --set", ["policies -o json"])
      .addOption(outputOption())
      .action(({ format }: { format: Format }) => {
        line(shell.out, format === "json" ? asJson() : asText(shell.out.columns()));
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
  needs: [],
  parameters: [],
};

function rowsOf(seat: Seat): readonly PolicyRow[] {
  const policies = REGISTRY[seat].map(({ policy, meaning }) => ({
    seat,
    name: policy.name,
    meaning,
    source: policy.source,
    needs: policy.needs,
    parameters: parametersOf(policy),
  }));
  return seat === "data" ? [NO_DATA_POLICY, ...policies] : policies;
}

function asJson(): string {
  const policies = SEATS.flatMap(rowsOf);
  return jsonText({ disciplines: REGISTRY.disciplines, policies });
}

function asText(width: number): string {
  const seats = SEATS.flatMap((seat) => {
    const rows = rowsOf(seat).map((row) => policyText(row, width));
    return [`\n${seat}: ${QUESTIONS[seat]}`, ...rows];
  });
  return [disciplinesText(), ...seats].join("\n");
}

function disciplinesText(): string {
  const titles = ["discipline", ...SEATS, "what it is"];
  const rows = REGISTRY.disciplines.map((named) => [
    named.name,
    ...SEATS.map((seat) => policiesIn(named, seat)),
    named.meaning,
  ]);
  const used = titles.map((_, index) => rows.some((row) => row[index] !== ""));
  const keep = (cells: readonly string[]) => cells.filter((_, index) => used[index]);
  return table(
    keep(titles).map((title) => ({ title })),
    rows.map(keep),
  );
}

function policiesIn(named: NamedDiscipline, seat: Seat): string {
  return seat === "data" ? named.data.join("+") || NO_DATA_POLICY.name : named[seat];
}

const INDENT = "    ";

function policyText({ name, meaning, source, parameters }: PolicyRow, width: number): string {
  const widest = Math.max(0, ...parameters.map((one) => one.name.length));
  const values = Math.max(0, ...parameters.map((one) => String(one.default).length));
  const indented = (text: string, indent: string) =>
    wrap(text, Math.max(40, width - indent.length)).map((part) => `${indent}${part}`);
  const about = parameters.flatMap((one) => {
    const name = pad(one.name, widest, "left");
    const start = `${INDENT}${name}  ${pad(String(one.default), values, "right")}  `;
    const [first = "", ...rest] = indented(one.about, " ".repeat(start.length));
    return [`${start}${first.trimStart()}`.trimEnd(), ...rest];
  });
  return [`  ${name}: ${meaning}`, ...indented(`(${source})`, INDENT), ...about].join("\n");
}
