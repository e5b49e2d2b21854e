import type { ComponentChildren, ComponentType } from "preact";
import type { Act } from "./acts.tsx";
import { clockText, span } from "./format.ts";
import { goToFound } from "./inspect/found.tsx";
import { KEYS, press } from "./keys.ts";
import { Link } from "./link.tsx";
import { Save } from "./save.tsx";
import { Scroll } from "./scroll.tsx";
import type { PageState } from "./state.ts";
import { Table } from "./table.tsx";
import { INKS } from "./theme.ts";
import { VIEW_HELP } from "./view-help.ts";
import { ViewMenu } from "./view-menu.tsx";
import { CompareView } from "./views/compare.tsx";
import { Decisions } from "./views/decisions.tsx";
import { Inspector } from "./views/inspector.tsx";
import { Nodes } from "./views/nodes.tsx";
import { SlotTime } from "./views/slot-time.tsx";
import { Tasks } from "./views/tasks.tsx";
import { Timeline } from "./views/timeline.tsx";
import { Verdict } from "./views/verdict.tsx";
import { WhatIfView } from "./views/what-if.tsx";

interface OfState {
  readonly state: PageState;
}

/** Views of a live run, on a server's page only. */
export interface LiveViews {
  readonly Age: ComponentType<OfState>;
  readonly LateNow: ComponentType<OfState>;
  readonly StudyView: ComponentType<OfState>;
  readonly Elsewhere: ComponentType;
  /** What can be saved besides files for other programs. */
  readonly keepsOf: (state: PageState) => readonly Act[];
}

interface AppProps extends OfState {
  readonly live: LiveViews | undefined;
}

export function App({ state, live }: AppProps) {
  const { head, attempts, judged } = state.run;
  // Nothing ran: there is nothing to draw.
  if (attempts.length === 0 && !head.isLive) {
    return (
      <>
        <Header state={state} live={live} />
        <main>
          <Verdict state={state} />
        </main>
      </>
    );
  }
  return (
    <>
      <Header state={state} live={live} />
      <main>
        {live ? <live.StudyView state={state} /> : null}
        <Part id="verdict" state={state}>
          {head.jobs.length > 1 ? <Jobs state={state} /> : null}
          {head.isLive && live ? <live.LateNow state={state} /> : <Verdict state={state} />}
        </Part>
        <Part
          state={state}
          id="timeline"
          told={`rows are ${ROWS_HELP[state.run.rows.by]}; bars are attempts`}
        >
          <div class="timeline">
            <Timeline state={state} />
            <Inspector state={state} />
          </div>
        </Part>
        {VIEWS.map(([id, told, View]) => (
          <Part key={id} state={state} id={id} told={told.replace(SAME, judged ?? SAME)}>
            <View state={state} />
          </Part>
        ))}
        {head.compare === undefined ? null : (
          <Part state={state} id="compare" told={`${judged ?? "this run"} beside another`}>
            <CompareView state={state} />
          </Part>
        )}
        <footer>
          Times are seconds since the submission of the {head.jobs.length > 1 ? "first job" : "job"}
          {clockText(", ", head.originMs, 0)}. From {head.source}. Made by Broomwagon.
        </footer>
      </main>
      {state.isHelpOpen.value ? <Help state={state} live={live} /> : null}
    </>
  );
}

const ROWS_HELP = {
  slot: "slots, by rack and node",
  task: "tasks, each with its attempts side by side",
  phase: "what ran at the same time, by phase",
} as const;

/** The views below the timeline, each with a line that says what it shows. */
const VIEWS: readonly (readonly [id: string, told: string, view: ComponentType<OfState>])[] = [
  ["tasks", "which were late, by their own rate, by their input", Tasks],
  ["nodes", "speed beside peers over time, the slowest first", Nodes],
  ["decisions", "what the policy did, and the numbers it compared", Decisions],
  ["slot-time", "where it went", SlotTime],
  ["what-if", "the same job under other policies, simulated", WhatIfView],
];

/** Replaced by the job's name where there are several jobs. */
const SAME = "the same job";

/** A view's name in words. */
const inWords = (id: string): string => id.replace("-", " ");

function Header({ state, live }: AppProps) {
  const { head } = state.run;
  const jobs = head.jobs.length > 1 ? `${head.jobs.length} jobs` : head.title;
  const told = [
    HOSTS[head.host],
    `${head.nodes.length} ${head.nodes.length === 1 ? "node" : "nodes"}`,
    ...(head.discipline === undefined ? [] : [`policy ${head.discipline}`]),
    span(Math.max(...head.jobs.map(({ endedAt }) => endedAt))),
  ];
  return (
    <header>
      <span class="brand">Broomwagon</span>
      <span class="title" title={head.title}>
        {jobs}
      </span>
      <span class="told">{told.join(", ")}</span>
      {live ? <live.Age state={state} /> : null}
      <Links state={state} />
      <input
        type="search"
        id="find"
        placeholder="task or node"
        aria-label="find a task or a node"
        value={state.find.value}
        onInput={(event) => {
          state.find.value = event.currentTarget.value;
        }}
        onKeyDown={({ key }) => {
          if (key === "Enter" && state.find.value !== "") goToFound(state);
        }}
      />
      <Save state={state} more={live?.keepsOf(state) ?? []} />
      <button type="button" aria-label="light or dark" onClick={() => press(state, "t")}>
        ◐
      </button>
      <button type="button" aria-label="keys" onClick={() => press(state, "?")}>
        ?
      </button>
    </header>
  );
}

function Links({ state }: OfState) {
  const all = [
    ...(state.study.value === undefined ? [] : ["study"]),
    ...["verdict", "timeline", ...VIEWS.map(([id]) => id)],
    ...(state.run.head.compare === undefined ? [] : ["compare"]),
  ];
  return (
    <nav aria-label="views">
      {all.map((id) => (
        <a
          key={id}
          href={`#${id}`}
          onClick={(event) => {
            event.preventDefault();
            const view = document.getElementById(id);
            view?.scrollIntoView();
            // Moves the focus, so that Tab continues from there.
            view?.focus({ preventScroll: true });
          }}
        >
          {inWords(id)}
        </a>
      ))}
    </nav>
  );
}

const HOSTS = {
  simulator: "simulated",
  engine: "embedded engine",
  yarn: "Hadoop YARN",
  hadoop: "Hadoop",
  spark: "Spark",
} as const;

interface PartProps extends OfState {
  readonly id: string;
  /** What the view shows; without it, the view has no heading. */
  readonly told?: string;
  readonly children: ComponentChildren;
}

function Part({ state, id, told, children }: PartProps) {
  const menu = VIEW_HELP[id];
  const name = inWords(id);
  return (
    <section id={id} aria-label={name} tabIndex={-1}>
      {menu === undefined || state.run.head.isLive ? null : (
        <ViewMenu
          id={id}
          name={name}
          paper={INKS[state.theme.value].paper}
          worker={state.worker.value}
          {...menu(state)}
        />
      )}
      {told === undefined ? null : (
        <>
          <h2>{name}</h2>
          <small>{told}</small>
        </>
      )}
      {children}
    </section>
  );
}

const JOBS = 12;

/** The jobs, the most time lost first. */
function Jobs({ state }: { readonly state: PageState }) {
  const { head, judged } = state.run;
  const { jobs } = head;
  const worst = jobs.toSorted((a, b) => (b.delayMs ?? -1) - (a.delayMs ?? -1)).slice(0, JOBS);
  const other = worst.find(({ name }) => name !== judged)?.name;
  return (
    <>
      <h2>Jobs</h2>
      <Scroll name="jobs">
        <Table
          of={["job", "wide:user", "n wide:submitted", "n:took", "n:lost", "outcome"]}
          rows={worst.map((job) => [
            <Link
              onClick={() => {
                state.showJob(job);
                document.getElementById("timeline")?.scrollIntoView();
              }}
            >
              {job.name}
            </Link>,
            job.user ?? "–",
            span(job.submittedAt),
            span(job.endedAt - job.submittedAt),
            span(job.delayMs ?? Number.NaN),
            head.isLive && job.outcome === "cut-off" ? "running" : job.outcome,
          ])}
        />
        {jobs.length > JOBS ? <p class="faint">and {jobs.length - JOBS} that lost less</p> : null}
      </Scroll>
      {other === undefined || judged === undefined ? null : (
        <p class="faint">
          A click shows when the job ran. The verdict is of {judged}, which lost most; for another
          job: <code>broomwagon report … --job {other}</code>
        </p>
      )}
    </>
  );
}

function Help({ state, live }: AppProps) {
  return (
    <div class="help">
      <dialog open class="card padded" aria-label="keys">
        <h3>Keys</h3>
        <table>
          <tbody>
            {KEYS.map(([keys, does]) => (
              <tr key={keys}>
                <td>
                  {keys.split(" ").map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </td>
                <td>{does}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p class="faint">
          Ctrl and the wheel zoom at the pointer; a drag chooses an area, with Shift it moves. The
          address holds the selection.
        </p>
        {live ? <live.Elsewhere /> : null}
        <button type="button" onClick={() => press(state, "?")}>
          close
        </button>
      </dialog>
    </div>
  );
}
