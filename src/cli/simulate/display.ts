import type { RunFigures, Study, StudyUnit } from "../../hosts/sim/index.ts";
import { counted, seconds } from "../../report/quantity.ts";
import { LiveArea } from "../display/live-area.ts";
import type { PageBeside } from "../page/beside.ts";
import type { Shell } from "../shell.ts";
import type { ThreadStudy } from "./worker.ts";

/** A page learns of a study at most this often. */
const TELL_EVERY_MS = 200;

/** A study while it runs: a line on a terminal, and the page beside it. */
export class StudyDisplay {
  readonly #study: Study;
  readonly #of: ThreadStudy;
  readonly #shell: Shell;
  readonly #page: PageBeside | undefined;
  readonly #area: LiveArea;
  readonly #found = new Map<StudyUnit, RunFigures>();
  readonly #begun = performance.now();
  #toldAt = 0;

  constructor(
    study: Study,
    of: ThreadStudy,
    { shell, page }: { readonly shell: Shell; readonly page: PageBeside | undefined },
  ) {
    this.#study = study;
    this.#of = of;
    this.#shell = shell;
    this.#page = page;
    this.#area = new LiveArea(shell.err);
  }

  get runsText(): string {
    return `${this.#found.size} of ${counted(this.#study.units.length, "run")}`;
  }

  show(unit: StudyUnit, figures: RunFigures): void {
    this.#found.set(unit, figures);
    if (performance.now() - this.#toldAt >= TELL_EVERY_MS) this.#tell();
    if (!this.#shell.err.isLive) return;
    const { label } = this.#study.settingOf(unit);
    this.#area.draw([`${this.runsText}, ${this.#pace()}: ${label}, seed ${unit.seed}`]);
  }

  end(): void {
    this.#tell();
    if (!this.#shell.err.isLive) return;
    this.#area.keep([]);
    this.#area.end();
  }

  #pace(): string {
    const done = this.#found.size;
    const goneMs = performance.now() - this.#begun;
    const leftMs = (goneMs / done) * (this.#study.units.length - done);
    const rate = ((1_000 * done) / goneMs).toFixed(1);
    return `${rate} a second, about ${seconds(leftMs)} left`;
  }

  /** In the order of the rows and seeds, whatever ended first. */
  #tell(): void {
    this.#toldAt = performance.now();
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
