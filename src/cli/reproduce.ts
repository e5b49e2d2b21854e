import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Argument, Option } from "commander";
import { InputError } from "../base/input-error.ts";
import { type Extent, type Measured, SCALES, type Scale } from "../reproduce/experiment.ts";
import { pageOf } from "../reproduce/page/page.ts";
import { figureKey } from "../reproduce/parse-figures.ts";
import {
  PAPERS,
  type Paper,
  type PublishedFigure,
  type ReportRow,
} from "../reproduce/published.ts";
import { reportRows, resultRow } from "../reproduce/rows.ts";
import { scoreLine, scoreOf } from "../reproduce/score.ts";
import { command, type MakeCommand } from "./command.ts";
import { progressDisplay } from "./display/progress-display.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { outputOption, type PrintFormat, wholeNumber } from "./flags.ts";
import { here } from "./here.ts";
import { jsonText } from "./json-text.ts";
import {
  experimentNames,
  type ReadExperiment,
  readExperiment,
  readFigures,
} from "./reproduce/data.ts";
import { checkDocs, fillDocs } from "./reproduce/fill-docs.ts";
import { checkOutputs, csvText, writeOutputs } from "./reproduce/outputs.ts";
import { type Reported, runSession } from "./reproduce/session.ts";
import { extentText, notesOf, tablesText } from "./reproduce/tables-text.ts";
import { line, type Shell } from "./shell.ts";
import { wrap } from "./table.ts";

interface Flags {
  readonly figure?: string;
  readonly runs: number;
  readonly scale: Scale;
  readonly out: string;
  readonly workers: number;
  readonly docs?: string;
  readonly format: PrintFormat;
}

const EXAMPLES = ["reproduce all", "reproduce late --figure fig4 --runs 5"];

export const reproduceCommand: MakeCommand = (shell, end) =>
  command(
    "reproduce",
    "rerun the papers' experiments and compare with the published figures",
    EXAMPLES,
  )
    .addArgument(new Argument("[paper]", "paper").choices([...PAPERS, "all"]).default("all"))
    .option("--figure <name>", "run one figure, table or section: fig4, table2, s5.1.2")
    .option("--runs <count>", "paired seeds per setting", wholeNumber(1), 20)
    .addOption(
      new Option("--scale <scale>", "size of the largest studies")
        .choices(SCALES)
        .default("sample"),
    )
    .option("--out <dir>", "directory for results, from which a stopped run resumes", DEFAULT_OUT)
    .option("--workers <count>", "threads", wholeNumber(1, 256), availableParallelism())
    .option("--docs <dir>", "also fill the reproduction tables of its Markdown files")
    .addOption(outputOption())
    .action(async (paper: Paper | "all", flags: Flags) => {
      end(await reproduce(paper, flags, shell));
    });

const DEFAULT_OUT = "reproduction-results";

async function reproduce(paper: Paper | "all", flags: Flags, shell: Shell): Promise<ExitCode> {
  const choice = choose(paper, flags.figure);
  checkOutputs(flags.out);
  if (flags.docs !== undefined) checkDocs(flags.docs, flags.figure);
  const extent: Extent = { runs: flags.runs, scale: flags.scale };
  const display = progressDisplay(shell.err, { now: () => performance.now(), unit: "unit" });
  const reported = await runSession(choice.experiments, {
    extent,
    folder: flags.out,
    workers: flags.workers,
    signal: shell.listenForCtrlC(),
    onProgress: (progress) => display.show(progress),
  }).finally(() => display.end());
  if (reported === undefined) {
    line(shell.err, `stopped; what is done is kept in ${here(flags.out)}: run it again to go on`);
    return EXIT.interrupted;
  }
  const { measured, strays } = joined(choice, reported);
  for (const stray of strays)
    line(shell.err, `measured, but not in figures.json or ours.json: ${stray}`);
  const rows = reportRows(choice.figures, measured, extent);
  if (flags.docs !== undefined) fillDocs(flags.docs, rows, extent);
  print(rows, reported, flags, shell);
  return EXIT.ok;
}

interface FigureChoice {
  readonly figures: readonly PublishedFigure[];
  readonly experiments: readonly ReadExperiment[];
}

/** The requested published figures, and the experiments that measure them. */
function choose(paper: Paper | "all", figure: string | undefined): FigureChoice {
  const papers: readonly Paper[] = paper === "all" ? PAPERS : [paper];
  const ofPaper = readFigures().filter((each) => papers.includes(each.paper));
  if (figure !== undefined && !ofPaper.some((each) => each.figure === figure)) {
    const known = [...new Set(ofPaper.map((each) => each.figure))].join(", ");
    throw new InputError("bad-flag", `--figure ${figure}`, `expected one of ${known}`);
  }
  const isChosen = (name: string): boolean => figure === undefined || figure === name;
  return {
    figures: ofPaper.filter((each) => isChosen(each.figure)),
    experiments: experimentNames()
      .filter((name) => papers.some((each) => name.startsWith(`${each}-`)))
      .map((name) => readExperiment(name))
      .filter(({ experiment }) => experiment.figures.some(isChosen)),
  };
}

/** The measured figures by key, and those that no figure asks for or that were measured twice. */
function joined({ figures }: FigureChoice, reported: readonly Reported[]) {
  const known = new Set(figures.map(figureKey));
  const asked = new Set(figures.map(({ figure }) => figure));
  const measured = new Map<string, Measured>();
  const strays: string[] = [];
  for (const { experiment, report } of reported) {
    for (const each of report.measured.filter(({ figure }) => asked.has(figure))) {
      const key = figureKey({ paper: experiment.paper, ...each });
      if (!known.has(key) || measured.has(key)) strays.push(key);
      measured.set(key, each);
    }
  }
  return { measured, strays };
}

function print(
  rows: readonly ReportRow[],
  reported: readonly Reported[],
  { runs, scale, out, format }: Flags,
  shell: Shell,
): void {
  const score = scoreLine(scoreOf(rows));
  const tables = (width = Number.POSITIVE_INFINITY): string => {
    const extent = wrap(extentText({ runs, scale }), width).join("\n");
    return `${extent}\n\n${tablesText(rows, reported, width)}`;
  };
  const page = pageOf({
    rows,
    drawings: reported.flatMap(({ experiment: { paper }, report }) =>
      report.drawings.map((drawing) => ({ paper, drawing })),
    ),
    notes: reported.flatMap((one) => {
      const { paper, figures } = one.experiment;
      return notesOf(one).map((text) => ({ paper, figures, text }));
    }),
    titles: reported.map(({ experiment: { paper, figures, title } }) => {
      return { paper, figures, text: title };
    }),
    how: extentText({ runs, scale }),
    ...docsSeenFrom(out),
  });
  const json = jsonText("reproduce", { rows: rows.map(resultRow) });
  writeOutputs(out, {
    "results.json": `${json}\n`,
    "results.csv": csvText(rows),
    "tables.txt": `${tables()}\n\n${score}\n`,
    "index.html": page,
  });
  const drawn = `${here(join(out, "index.html"))} shows them drawn`;
  const text = `${tables(shell.out.columns())}\n\n${drawn}\n${score}`;
  line(shell.out, format === "json" ? json : text);
}

/** The path of the papers' pages, if they exist: an installed package lacks them. */
function docsSeenFrom(out: string): { readonly docs?: string } {
  const docs = fileURLToPath(new URL("../../docs/papers", import.meta.url));
  return existsSync(docs) ? { docs: relative(out, docs).replaceAll("\\", "/") } : {};
}
