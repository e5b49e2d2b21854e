import type { Refusal } from "../../report/page/document.ts";
import { percentDone } from "../../report/quantity.ts";
import { span } from "../format.ts";
import { Heads } from "../heads.tsx";
import { Link } from "../link.tsx";
import { type Going, leftText, momentAt, rateText, scoreText } from "../moment.ts";
import type { Run } from "../run.ts";
import { Scroll } from "../scroll.tsx";
import {
  type Peers,
  peersByPhase,
  refusalOf,
  type Standing,
  standingsOf,
  type TaskAtWork,
  tasksAtWork,
} from "../standing.ts";
import type { PageState } from "../state.ts";

const SHOWN = 5;
/** The number of jobs that are named besides the first. */
const NEXT = 4;

/** While the job runs: what holds it up, and what is being done about it. */
export function LateNow({ state }: { readonly state: PageState }) {
  const { run } = state;
  const now = run.head.endsAt;
  const moment = momentAt(run, now);
  const tasks = tasksAtWork(run, moment);
  const peers = peersByPhase(run);
  const [first, ...next] = standingsOf(run, moment, tasks, peers);
  const running = moment.running.length;
  const shown = tasks.slice(0, SHOWN).map((task) => ({
    task,
    refused: task.copies.length > 0 ? undefined : refusalOf(run, moment, task),
  }));
  const reasons = new Set(shown.flatMap(({ refused = [] }) => refused));
  return (
    <div>
      <h1>
        {first === undefined
          ? `All tasks are done after ${span(now)}.`
          : `${doneText(run, first)} after ${span(now)}${toGoText(first)}.`}
      </h1>
      <p>
        {running === 0 ? "" : `${running} ${running === 1 ? "attempt runs" : "attempts run"}. `}
        {next.slice(0, NEXT).map((one) => `${doneText(run, one)}${toGoText(one)}. `)}
        {next.length > NEXT ? `${next.length - NEXT} more jobs run. ` : ""}
        The diagnosis comes when the run is over.
      </p>
      {shown.length === 0 ? null : (
        <Scroll name="tasks that would end last">
          <table class="folds late-now">
            <Heads
              of={[
                "would end last",
                "node",
                "n:runs for",
                "n:score",
                "n:rate",
                "n:peers' 25th percentile",
                "n:left",
                "n:peers took",
                "copy",
              ]}
            />
            <tbody>
              {shown.map(({ task, refused }) => (
                <Row
                  key={run.nameOf(task.first.i)}
                  state={state}
                  task={task}
                  refused={refused}
                  peers={peers[task.phase]}
                />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {[...reasons].map((one) => (
        <p key={one.text} class="faint">
          <code>{one.rule}</code> {one.text}
        </p>
      ))}
    </div>
  );
}

interface RowProps {
  readonly state: PageState;
  readonly task: TaskAtWork;
  readonly refused: Refusal | undefined;
  readonly peers: Peers | undefined;
}

function Row({ state, task, refused, peers }: RowProps) {
  const { run } = state;
  const { first, copies } = task;
  const { i, score } = first;
  const ranMs = run.head.endsAt - run.startedAt(i);
  const { tookMs, ratePerMs } = peers ?? {};
  return (
    <tr>
      <td>
        <Link onClick={() => state.select(i)}>{run.nameOf(i)}</Link>
      </td>
      <td>{run.shortName(run.nodeOf(i))}</td>
      <td class="n">{span(ranMs)}</td>
      <td class="n">{scoreText(first)}</td>
      <td class="n">{rateText(score / ranMs)}</td>
      <td class="n">{rateText(ratePerMs)}</td>
      <td class="n">{leftText(run, first)}</td>
      <td class="n">{known(tookMs) ? span(tookMs) : "–"}</td>
      <td>
        {copies.map((copy) => copyText(run, copy)).join("; ")}
        {copies.length > 0 ? null : refused === undefined ? "–" : `none: ${refused.rule}`}
      </td>
    </tr>
  );
}

function copyText(run: Run, copy: Going): string {
  const since = span(run.startedAt(copy.i));
  return `${run.nodeOf(copy.i)} since ${since}, left: ${leftText(run, copy)}`;
}

const doneText = (run: Run, { phase, score }: Standing): string =>
  `${run.phaseName(phase)} is ${percentDone(score)} done`;

function toGoText({ toGoMs, waiting, holding }: Standing): string {
  const toGo = known(toGoMs) ? `, about ${span(toGoMs)} to go` : "";
  const holds = holding === 1 ? "task holds" : "tasks hold";
  const waits = waiting === 1 ? "task waits" : "tasks wait";
  const why = [
    ...(holding > 0 ? [`${holding} ${holds} it up`] : []),
    ...(waiting > 0 ? [`${waiting} ${waits} for a slot`] : []),
  ];
  return why.length === 0 ? toGo : `${toGo}: ${why.join(", ")}`;
}

const known = (ms: number | undefined): ms is number => ms !== undefined && Number.isFinite(ms);
