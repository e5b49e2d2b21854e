import { InputError } from "../../base/input-error.ts";
import { PAPERS, type Paper, type PublishedFigure } from "../../reproduce/published.ts";
import { experimentNames, type ReadExperiment, readExperiment, readFigures } from "./data.ts";

export interface FigureChoice {
  readonly figures: readonly PublishedFigure[];
  readonly experiments: readonly ReadExperiment[];
}

/** The published figures that are asked for, and the experiments that measure them. */
export function choose(paper: Paper | "all", figure: string | undefined): FigureChoice {
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
