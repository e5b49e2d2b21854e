import { batch, computed, type Signal, signal } from "@preact/signals";
import { cell } from "../base/rows.ts";
import { DEFAULT_LIMITS, LIMIT_NAMES, type Limits } from "../diagnose/limits.ts";
import type { PageDocument, PageJob } from "../report/page/document.ts";
import type { Grown } from "../report/page/live/document.ts";
import type { Study } from "../report/page/study.ts";
import { ROWS_BY, type RowsBy } from "./arranged.ts";
import type { Window } from "./raster.ts";
import { rediagnosed } from "./rediagnosed.ts";
import { Run, type RunOptions } from "./run.ts";
import type { Diagnosed } from "./worker/messages.ts";
import type { Works } from "./works.ts";

/**
 * A job of at most this many attempts is diagnosed again as the user types; others have a button.
 */
const AS_TYPED_MAX = 20_000;

/** Phases with the same name, over all jobs. */
export interface Family {
  readonly name: string;
  readonly attempts: number;
  readonly delayMs: number;
}

/** The page's document, and what the reader looks at: one selection for all views. */
export class PageState {
  readonly #run: Signal<Run>;
  readonly window = signal<Window>({ from: 0, to: 1, top: 0, bottom: 1 });
  /** The attempt that is selected; -1 if none. */
  readonly attempt = signal(-1);
  /** The decision that is selected; -1 if none. */
  readonly decision = signal(-1);
  /** The pinned moment, and the moment under the pointer. */
  readonly pinned = signal<number | undefined>(undefined);
  readonly pointer = signal<number | undefined>(undefined);
  /** The attempt under the pointer; -1 if none. */
  readonly hover = signal(-1);
  readonly area = signal<Window | undefined>(undefined);
  /** The name of the phases that the reader chose for the plots of tasks; empty if none. */
  readonly chosen = signal("");
  readonly find = signal("");
  /** Which decisions are listed; empty for all but first launches. */
  readonly listed = signal("");
  readonly isHelpOpen = signal(false);
  /**
   * For a live page: when the server last answered, by this browser's clock; undefined: connected.
   */
  readonly lostAt = signal<number | undefined>(undefined);
  /** For a live page: when its journal last grew, by this browser's clock. */
  readonly grewAt = signal(0);
  /** Why a live page no longer grows, in a sentence. */
  readonly problem = signal<string | undefined>(undefined);
  /** The study that the simulator is running. */
  readonly study = signal<Study | undefined>(undefined);
  /** Diagnoses and runs the job again, and writes files; undefined during the run. */
  readonly worker = signal<Works | undefined>(undefined);
  /** Limits of the diagnosis that the reader changed. */
  readonly changed = signal<Partial<Limits>>({});
  /** Whether the shown diagnosis uses the limits in `changed`. */
  readonly isDiagnosed = signal(true);
  readonly theme = signal<"light" | "dark">("light");
  readonly moment = computed(() => this.pinned.value ?? this.pointer.value);

  /** Late attempts, by the response time that they lost, the largest first. */
  readonly late = computed(() => lateOf(this.run));
  /** The document as it was given, without the reader's changes. */
  #given: PageDocument;
  readonly #families = computed(() => familiesOf(this.run));

  readonly #barsOf: RunOptions["barsOf"];

  /** `barsOf`: how the bars of a page that grows are arranged. */
  constructor(document: PageDocument, barsOf?: RunOptions["barsOf"]) {
    this.#given = document;
    this.#barsOf = barsOf;
    this.#run = signal(new Run(document, { barsOf }));
    this.window.value = this.whole;
  }

  get run(): Run {
    return this.#run.value;
  }

  get families(): readonly Family[] {
    return this.#families.value;
  }

  /** The name of the phases in the plots of tasks: the chosen one, or the costliest. */
  get family(): string {
    const names = this.families.map(({ name }) => name);
    return names.includes(this.chosen.value) ? this.chosen.value : (names[0] ?? "");
  }

  get given(): PageDocument {
    return this.#given;
  }

  /** The limits in force: the diagnosis's own, with the reader's changes. */
  get limits(): Limits {
    return { ...DEFAULT_LIMITS, ...this.#given.head.why?.limits, ...this.changed.value };
  }

  /**
   * Changes limits; `{}` restores the diagnosis's own. The marks of late attempts move at once; the
   * worker diagnoses a small job again as the reader types.
   */
  setLimits(changed: Partial<Limits>): void {
    const own = { ...DEFAULT_LIMITS, ...this.#given.head.why?.limits };
    const kept = LIMIT_NAMES.filter((name) => (changed[name] ?? own[name]) !== own[name]);
    this.changed.value = Object.fromEntries(kept.map((name) => [name, changed[name]]));
    this.isDiagnosed.value = kept.length === 0;
    this.#show(this.#given);
    this.diagnoseChanged();
  }

  /** Diagnoses a small job again as the reader types, if limits were changed. */
  diagnoseChanged(): void {
    if (!this.isDiagnosed.value && this.diagnosesAsTyped) this.diagnose();
  }

  get diagnosesAsTyped(): boolean {
    return (this.#given.head.why?.job.attempts ?? 0) <= AS_TYPED_MAX;
  }

  /** Diagnoses the job again with the changed limits. */
  diagnose(): void {
    const worker = this.worker.value;
    if (worker?.hasJob === true) worker.diagnose(this.changed.value);
  }

  /** Takes the worker's answer, unless the limits have changed since. */
  learn(found: Diagnosed | undefined): void {
    if (found === undefined || textOf(found.limits) !== textOf(this.changed.peek())) return;
    this.isDiagnosed.value = true;
    this.#show(rediagnosed(this.#given, found));
  }

  /** The page has grown: the selection stays, and a window that showed everything still does. */
  renew({ document, changed }: Grown): void {
    this.#given = document;
    this.isDiagnosed.value = Object.keys(this.changed.peek()).length === 0;
    this.#show(document, { changed });
  }

  /** `changed`: the attempts that differ from those shown; undefined: any may differ. */
  #show(document: PageDocument, { by, changed }: ShowOptions = {}): void {
    const before = this.#run.peek();
    const { lateAbove } = this.changed.peek();
    const growth = changed && { before, changed };
    const shownBy = by ?? before.rows.by;
    const next = new Run(document, { lateAbove, by: shownBy, growth, barsOf: this.#barsOf });
    const [seen, whole] = [this.window.peek(), wholeOf(before)];
    const isAll = addressOf(seen) === addressOf(whole);
    const attempt = this.attempt.peek();
    const isKept = attempt < 0 || changed !== undefined;
    const again = isKept ? attempt : next.find(before.nameOf(attempt));
    batch(() => {
      this.hover.value = -1;
      this.attempt.value = again;
      this.#run.value = next;
      if (isAll) this.window.value = wholeOf(next);
    });
  }

  get whole(): Window {
    return wholeOf(this.run);
  }

  /** Shows these times, within the run. */
  show(from: number, to: number): void {
    const span = Math.min(Math.max(to - from, 5), this.whole.to);
    this.window.value = { ...this.window.value, ...kept(from, span, this.whole.to) };
  }

  /** Zooms by a factor around a moment. */
  zoom(by: number, around?: number): void {
    const { from, to, ...rows } = this.window.value;
    const middle = around ?? this.pinned.value ?? (from + to) / 2;
    const whole = this.whole;
    const span = Math.min(Math.max((to - from) * by, 5), whole.to);
    const start = middle - ((middle - from) / (to - from)) * span;
    this.window.value = { ...rows, ...kept(start, span, whole.to) };
  }

  /** Moves by a share of the window. */
  move(share: number): void {
    const { from, to, ...rows } = this.window.value;
    this.window.value = { ...rows, ...kept(from + share * (to - from), to - from, this.whole.to) };
  }

  /** Shows more rows (above 1) or fewer, or moves among them. */
  scaleRows(by: number, shift = 0): void {
    const { top, bottom, ...times } = this.window.value;
    const rows = this.whole.bottom;
    const count = Math.min(Math.max((bottom - top) * by, 1), rows);
    const middle = (top + bottom) / 2 + shift * (bottom - top);
    const first = Math.min(Math.max(middle - count / 2, 0), rows - count);
    this.window.value = { ...times, top: first, bottom: first + count };
  }

  select(attempt: number): void {
    this.attempt.value = attempt;
    this.decision.value = -1;
    this.area.value = undefined;
    if (attempt >= 0) this.reveal(attempt);
  }

  /** Selects an attempt by its name within the job that is diagnosed. */
  selectNamed(name: string): void {
    const { judged } = this.run;
    this.select(this.run.find(judged === undefined ? name : `${judged}/${name}`));
  }

  /** Selects a decision, and shows its moment. */
  decide(index: number): void {
    const decision = this.run.head.decisions[index];
    if (decision === undefined) return;
    this.decision.value = index;
    this.attempt.value = decision.attempt;
    this.area.value = undefined;
    this.pinned.value = decision.at;
    if (decision.attempt >= 0) this.reveal(decision.attempt);
  }

  /** Arranges the timeline's rows differently, and shows all of them. */
  arrange(by: RowsBy): void {
    const { head, attempts, rows } = this.run;
    if (rows.by === by) return;
    batch(() => {
      this.area.value = undefined;
      this.#show({ head, attempts }, { by });
      const { top, bottom } = this.whole;
      this.window.value = { ...this.window.value, top, bottom };
    });
  }

  arrangeNext(): void {
    this.arrange(ROWS_BY[(ROWS_BY.indexOf(this.run.rows.by) + 1) % ROWS_BY.length] ?? "slot");
  }

  /** Shows only the node's rows, with two rows' room around them. */
  showNode(name: string): void {
    this.arrange("slot");
    const { nodes, rows } = this.run.head;
    const node = nodes.findIndex((one) => one.name === name);
    const first = rows.findIndex((row) => row.node === node);
    if (node < 0 || first < 0) return;
    const count = rows.filter((row) => row.node === node).length;
    const seen = Math.min(rows.length, Math.max(3 * count, 12));
    const top = Math.min(Math.max(0, first + count / 2 - seen / 2), rows.length - seen);
    this.window.value = { ...this.window.value, top, bottom: top + seen };
    this.area.value = {
      from: this.window.value.from,
      to: this.window.value.to,
      top: first,
      bottom: first + count,
    };
  }

  /** Shows the job's time, up to now if the job runs. */
  showJob({ submittedAt, endedAt }: Pick<PageJob, "submittedAt" | "endedAt">): void {
    const { to } = this.whole;
    this.window.value = {
      ...this.whole,
      from: submittedAt,
      to: endedAt > submittedAt ? endedAt : to,
    };
  }

  /** Moves the window only as far as needed to show the attempt. */
  reveal(i: number): void {
    const { from, to, top, bottom } = this.window.value;
    const start = this.run.startedAt(i);
    const end = this.run.heardTo(i);
    const row = this.run.rows.rowOf[i];
    if (row === undefined) return;
    const isSeen = end >= from && start <= to;
    const times = isSeen
      ? { from, to }
      : kept((start + end) / 2 - (to - from) / 2, to - from, this.whole.to);
    const shift = row < top ? row - top : row + 1 > bottom ? row + 1 - bottom : 0;
    this.window.value = { ...times, top: top + shift, bottom: bottom + shift };
  }

  /** Pins a moment, with nothing else selected. */
  pin(at: number | undefined): void {
    this.attempt.value = -1;
    this.decision.value = -1;
    this.area.value = undefined;
    this.pinned.value = at;
  }

  decideNext(step: number): void {
    const count = this.run.head.decisions.length;
    const from = this.decision.value < 0 ? (step > 0 ? -1 : count) : this.decision.value;
    this.decide(Math.min(Math.max(from + step, 0), count - 1));
  }

  /** Selects the next late attempt, the one that lost most first. */
  selectLate(): void {
    const late = this.late.value;
    const attempt = late[late.indexOf(this.attempt.value) + 1] ?? late[0];
    if (attempt !== undefined) this.select(attempt);
  }

  /** Zooms to the selected task, or to the area. */
  focus(): void {
    const area = this.area.value;
    if (area !== undefined) this.window.value = area;
    const i = this.attempt.value;
    if (i < 0) return;
    const { attempts } = this.run;
    const own = this.run.ofTask(i);
    const from = Math.min(...own.map((one) => cell(attempts.startedAt[one])));
    const to = Math.max(...own.map((one) => cell(attempts.endedAt[one])));
    const span = Math.max(5, 1.3 * (to - from));
    const times = kept((from + to) / 2 - span / 2, span, this.whole.to);
    this.window.value = { ...this.window.value, ...times };
    this.reveal(i);
  }

  clear(): void {
    this.attempt.value = -1;
    this.decision.value = -1;
    this.pinned.value = undefined;
    this.area.value = undefined;
    this.find.value = "";
    this.isHelpOpen.value = false;
  }
}

interface ShowOptions {
  readonly by?: RowsBy;
  readonly changed?: readonly number[] | undefined;
}

function wholeOf({ head: { endsAt }, rows }: Run): Window {
  return { from: 0, to: Math.max(1, endsAt * 1.01), top: 0, bottom: Math.max(1, rows.count) };
}

const textOf = (limits: Partial<Limits>): string =>
  LIMIT_NAMES.map((name) => limits[name] ?? "").join();

function kept(from: number, span: number, most: number): { from: number; to: number } {
  const start = Math.min(Math.max(from, 0), Math.max(0, most - span));
  return { from: start, to: start + span };
}

const addressOf = ({ from, to, top, bottom }: Window): string => [from, to, top, bottom].join();

function lateOf(run: Run): readonly number[] {
  const { length, delayMs } = run.attempts;
  // Of a job that was not diagnosed, no attempt has lost time, and the latest comes first.
  return Array.from(Array(length).keys())
    .filter((i) => run.isLate(i))
    .sort((a, b) => (delayMs[b] || 0) - (delayMs[a] || 0) || run.timesOf(b) - run.timesOf(a));
}

/** The costliest first. */
function familiesOf({ head, attempts }: Run): readonly Family[] {
  const counts = new Map<string, { attempts: number; delayMs: number }>();
  for (let i = 0; i < attempts.length; i++) {
    const name = head.phases[cell(attempts.phase[i])]?.name ?? "";
    const own = counts.get(name) ?? { attempts: 0, delayMs: 0 };
    own.attempts += 1;
    const delayMs = cell(attempts.delayMs[i]);
    if (delayMs > 0) own.delayMs += delayMs;
    counts.set(name, own);
  }
  return [...counts]
    .map(([name, own]) => ({ name, ...own }))
    .sort((a, b) => b.delayMs - a.delayMs || b.attempts - a.attempts);
}
