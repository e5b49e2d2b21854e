import type { ComponentChildren } from "preact";
import { Age } from "./age.tsx";
import { span } from "./format.ts";
import { KEYS } from "./keys.ts";
import { Save } from "./save.tsx";
import { Scroll } from "./scroll.tsx";
import type { PageState } from "./state.ts";
import { CompareView } from "./views/compare.tsx";
import { Decisions } from "./views/decisions.tsx";
import { Inspector } from "./views/inspector.tsx";
import { LateNow } from "./views/late-now.tsx";
import { Nodes } from "./views/nodes.tsx";
import { SlotTime } from "./views/slot-time.tsx";
import { StudyView } from "./views/study.tsx";
import { Tasks } from "./views/tasks.tsx";
import { Timeline } from "./views/timeline.tsx";
import { Verdict } from "./views/verdict.tsx";
import { WhatIfView } from "./views/what-if.tsx";

export function App({ state }: { readonly state: PageState }) {
  const { head } = state.run;
  return (
    <>
      <Header state={state} />
      <main>
        <Part id="verdict">
          {head.jobs.length > 1 ? <Jobs state={state} /> : null}
          {head.isLive ? <LateNow state={state} /> : <Verdict state={state} />}
        </Part>
        <Part
          id="timeline"
          title="Timeline"
          told="rows are slots, by rack and node; bars are attempts"
        >
          <div class="timeline">
            <Timeline state={state} />
            <Inspector state={state} />
          </div>
        </Part>
        <Part id="tasks" title="Tasks" told="which were late, by their own rate, by their input">
          <Tasks state={state} />
        </Part>
        <Part id="nodes" title="Nodes" told="speed beside peers over time, the slowest first">
          <Nodes state={state} />
        </Part>
        <Part
          id="decisions"
          title="Decisions"
          told="what the policy did, and the numbers it compared"
        >
          <Decisions state={state} />
        </Part>
        <Part id="slot-time" title="Slot time" told="where it went">
          <SlotTime state={state} />
        </Part>
        <Part id="what-if" title="What if" told="the same job under other policies, simulated">
          <StudyView state={state} />
          <WhatIfView state={state} />
        </Part>
        {head.compare === undefined ? null : (
          <Part id="compare" title="Beside another run" told={head.compare.a.id}>
            <CompareView state={state} />
          </Part>
        )}
        <footer>
          Times are seconds since the submission of the {head.jobs.length > 1 ? "first job" : "job"}
          {head.originMs === 0
            ? ""
            : `, ${new Date(head.originMs).toISOString().replace("T", " ").slice(0, 19)} UTC`}
          . From {head.source}. Made by Broomwagon.
        </footer>
      </main>
      {state.isHelpOpen.value ? <Help state={state} /> : null}
    </>
  );
}

const LINKS = [
  ["verdict", "verdict"],
  ["timeline", "timeline"],
  ["tasks", "tasks"],
  ["nodes", "nodes"],
  ["decisions", "decisions"],
  ["slot-time", "slot time"],
  ["what-if", "what if"],
] as const;

function Header({ state }: { readonly state: PageState }) {
  const { head } = state.run;
  const jobs = head.jobs.length > 1 ? `${head.jobs.length} jobs` : head.title;
  const told = [
    HOSTS[head.host],
    `${head.nodes.length} ${head.nodes.length === 1 ? "node" : "nodes"}`,
    ...(head.discipline === undefined ? [] : [head.discipline]),
    span(Math.max(...head.jobs.map(({ endedAt }) => endedAt))),
  ];
  return (
    <header>
      <span class="brand">
        <svg width="20" height="18" viewBox="0 0 20 18" aria-hidden="true">
          <rect x="1" y="1" width="9" height="4" rx="1" fill="#9dbfe3" />
          <rect x="1" y="7" width="18" height="4" rx="1" fill="#c2620d" />
          <rect x="8" y="13" width="7" height="4" rx="1" fill="#9467bd" />
        </svg>
        Broomwagon
      </span>
      <span class="title" title={head.title}>
        {jobs}
      </span>
      <span class="told">{told.join(", ")}</span>
      <Age state={state} />
      <Links />
      <input
        type="search"
        id="find"
        placeholder="find: /"
        aria-label="find a task or a node"
        style={{ width: "9em" }}
        value={state.find.value}
        onInput={(event) => {
          state.find.value = event.currentTarget.value;
        }}
      />
      <Save state={state} />
      <button
        type="button"
        aria-label="light or dark"
        onClick={() => {
          state.theme.value = state.theme.value === "light" ? "dark" : "light";
        }}
      >
        ◐
      </button>
      <button
        type="button"
        aria-label="keys"
        onClick={() => {
          state.isHelpOpen.value = true;
        }}
      >
        ?
      </button>
    </header>
  );
}

function Links() {
  return (
    <nav aria-label="views">
      {LINKS.map(([id, name]) => (
        <a
          key={id}
          href={`#${id}`}
          onClick={(event) => {
            event.preventDefault();
            document.getElementById(id)?.scrollIntoView();
          }}
        >
          {name}
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

interface PartProps {
  readonly id: string;
  readonly title?: string;
  readonly told?: string;
  readonly children: ComponentChildren;
}

function Part({ id, title, told, children }: PartProps) {
  return (
    <section id={id} aria-label={title ?? id}>
      {title === undefined ? null : (
        <>
          <h2>{title}</h2>
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
  const { jobs } = state.run.head;
  const worst = jobs.toSorted((a, b) => (b.lostMs ?? -1) - (a.lostMs ?? -1)).slice(0, JOBS);
  return (
    <Scroll name="jobs">
      <table>
        <thead>
          <tr>
            <th>job</th>
            <th>user</th>
            <th class="n">submitted</th>
            <th class="n">took</th>
            <th class="n">lost</th>
            <th>outcome</th>
          </tr>
        </thead>
        <tbody>
          {worst.map((job) => (
            <tr key={job.name}>
              <td>{job.name}</td>
              <td>{job.user ?? "–"}</td>
              <td class="n">{span(job.submittedAt)}</td>
              <td class="n">{span(job.endedAt - job.submittedAt)}</td>
              <td class="n">{job.lostMs === undefined ? "–" : span(job.lostMs)}</td>
              <td>{job.outcome}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {jobs.length > JOBS ? <p class="faint">and {jobs.length - JOBS} that lost less</p> : null}
    </Scroll>
  );
}

function Help({ state }: { readonly state: PageState }) {
  const close = (): void => {
    state.isHelpOpen.value = false;
  };
  return (
    <div class="help">
      <dialog open class="card padded" aria-label="keys">
        <h3>Keys</h3>
        <table>
          <thead>
            <tr>
              <th>key</th>
              <th>what it does</th>
            </tr>
          </thead>
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
        <p class="faint" style={{ marginTop: "8px" }}>
          Ctrl and the wheel zoom at the pointer; a drag chooses an area, with Shift it moves. The
          address holds the selection.
        </p>
        <button type="button" onClick={close}>
          close
        </button>
      </dialog>
    </div>
  );
}
