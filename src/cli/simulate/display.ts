import type { RunFigures, Study, StudyUnit } from "../../hosts/sim/index.ts";
import type { ThreadStudy } from "../../library/simulate/worker.ts";
import { counted } from "../../report/quantity.ts";
import { type ProgressDisplay, progressDisplay } from "../display/progress-display.ts";
import type { PageBeside } from "../page/beside.ts";
import type { Shell } from "../shell.ts";

/** A page learns of a study at most this often. */
const TELL_EVERY_MS = 200;

/** Without a terminal, a study that takes less than this shows no progress. */
export const QUIET_MS = 10_000;

/** A study while it runs: its progress, and the page beside it. */
export class StudyDisplay {
  readonly #study: Study;
  readonly #of: ThreadStudy;
  readonly #page: PageBeside | undefined;
  readonly #progress: ProgressDisplay;
  readonly #found = new Map<StudyUnit, RunFigures>();
  /** How much of each current run is done, from 0 to 1. */
  readonly #shares = new Map<StudyUnit, number>();
  #shownAt = 0;

  constructor(
    study: Study,
    of: ThreadStudy,
    { shell, page }: { readonly shell: Shell; readonly page: PageBeside | undefined },
  ) {
    this.#study = study;
    this.#of = of;
    this.#page = page;
    const now = () => performance.now();
    this.#progress = progressDisplay(shell.err, { now, unit: "run", quietMs: QUIET_MS });
  }

  get runsText(): string {
    return `${this.#found.size} of ${counted(this.#study.units.length, "run")}`;
  }

  share(unit: StudyUnit, done: number): void {
    this.#shares.set(unit, done);
    this.#show(unit);
  }

  show(unit: StudyUnit, figures: RunFigures): void {
    this.#found.set(unit, figures);
    this.#shares.delete(unit);
    if (performance.now() - this.#shownAt >= TELL_EVERY_MS) this.#tell();
    this.#show(unit);
  }

  end(): void {
    this.#tell();
    this.#progress.end();
  }

  #show(unit: StudyUnit): void {
    const unitsDone = this.#found.size;
    const unitsAll = this.#study.units.length;
    const costDone = [...this.#shares.values()].reduce((sum, done) => sum + done, unitsDone);
    const latest = `${this.#study.settingOf(unit).label}, seed ${unit.seed}`;
    const costs = { costBefore: 0, costDone, costAll: unitsAll };
    this.#progress.show({ ...costs, unitsDone, unitsAll, latest });
  }

  /** The figures in the order of rows and seeds, not of completion. */
  #tell(): void {
    this.#shownAt = performance.now();
    if (this.#page === undefined) return;
    const rows = new Map<string, number[]>();
    for (const unit of this.#study.units) {
      const figures = this.#found.get(unit);
      if (figures === undefined) continue;
      const { label, swept } = this.#study.settingOf(unit);
      const row = swept === undefined ? label : `${label}, ${swept.parameter} ${swept.value}`;
      const responseMs = rows.get(row) ?? [];
      rows.set(row, responseMs);
      responseMs.push(figures.responseMs);
    }
    this.#page.learn({
      scenario: this.#of.scenario.name,
      seeds: this.#of.seeds,
      rows: [...rows].map(([label, responseMs]) => ({ label, responseMs })),
    });
  }
}
