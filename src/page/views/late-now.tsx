import { percent, span } from "../format.ts";
import { Heads } from "../heads.tsx";
import { Link } from "../link.tsx";
import { momentAt } from "../moment.ts";
import { type Run, SUCCEEDED } from "../run.ts";
import { Scroll } from "../scroll.tsx";
import type { PageState } from "../state.ts";

const SHOWN = 5;
/** The phases that are named beside the first. */
const NEXT = 4;

/** While the job runs: what holds it up, and what is being done about it. */
export function LateNow({ state }: { readonly state: PageState }) {
  const { run } = state;
  const now = run.head.endsAt;
  const { last, running, refusals } = momentAt(run, now);
  const phases = phasesOf(run);
  const open = phases.filter(({ done, tasks }) => done < tasks);
  const waitsFor = (i: number): string | undefined =>
    run.head.phases[run.attempts.phase[i] ?? 0]?.reads
      .map((phase) => phases[phase])
      .find((one) => one !== undefined && one.done < one.tasks)?.name;
  const shown = last.toSorted(
    (a, b) => Number(waitsFor(a.i) !== undefined) - Number(waitsFor(b.i) !== undefined),
  );
  const [first, ...next] = open;
  const later = next.slice(0, NEXT).map(({ name }) => name);
  if (next.length > NEXT) later.push("…");
  return (
    <div>
      <h1>
        {first === undefined
          ? `All tasks are done after ${span(now)}.`
          : `${first.name} is ${percent(first.done / first.tasks)} done after ${span(now)}.`}
      </h1>
      <p>
        {running === 0 ? "" : `${running} ${running === 1 ? "attempt runs" : "attempts run"}. `}
        {later.length > 0 ? `Not yet done: ${later.join(", ")}. ` : ""}
        The diagnosis comes when the run is over.
      </p>
      {last.length === 0 ? null : (
        <Scroll name="attempts that would end last">
          <table class="folds late-now">
            <Heads
              of={[
                "would end last",
                "node",
                "n:runs for",
                "n:score",
                "n:left, by its progress",
                "copy",
              ]}
            />
            <tbody>
              {shown.slice(0, SHOWN).map(({ i, score, leftMs }) => (
                <tr key={run.nameOf(i)}>
                  <td>
                    <Link onClick={() => state.select(i)}>{run.nameOf(i)}</Link>
                  </td>
                  <td>{run.shortName(run.nodeOf(i))}</td>
                  <td class="n">{span(now - (run.attempts.startedAt[i] ?? 0))}</td>
                  <td class="n">{score.toFixed(2)}</td>
                  <td class="n">{leftText(leftMs, score, waitsFor(i))}</td>
                  <td>{copyOf(run, i)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {(first === undefined ? [] : refusals.slice(0, 2)).map((one) => (
        <p key={one.rule + one.who} class="faint">
          Refused just now: <code>{one.rule}</code> {one.text}
        </p>
      ))}
    </div>
  );
}

/** Progress of an attempt that reads a phase which is not done is that phase's doing. */
function leftText(leftMs: number, score: number, waitsFor: string | undefined): string {
  if (waitsFor !== undefined) return `waits for ${waitsFor}`;
  return Number.isFinite(leftMs) && score >= TOLD ? span(leftMs) : "cannot tell yet";
}

/** Below this score, the rate of an attempt says little. */
const TOLD = 0.05;

function phasesOf(run: Run) {
  const { head, attempts } = run;
  const isDone = head.phases.map(({ tasks }) => new Uint8Array(tasks));
  for (let i = 0; i < attempts.length; i++) {
    if (attempts.end[i] !== SUCCEEDED) continue;
    const own = isDone[attempts.phase[i] ?? 0];
    if (own !== undefined) own[attempts.task[i] ?? 0] = 1;
  }
  const isMany = head.jobs.length > 1;
  return head.phases.map(({ name, job, tasks }, n) => ({
    name: isMany ? `${head.jobs[job]?.name}/${name}` : name,
    tasks,
    done: isDone[n]?.reduce((sum, one) => sum + one, 0) ?? 0,
  }));
}

function copyOf(run: Run, i: number): string {
  const others = run.ofTask(i).filter((other) => other !== i && run.endOf(other) === "cut-off");
  const [copy] = others;
  if (copy === undefined) return "–";
  return `${run.kindOf(copy)} on ${run.nodeOf(copy)} since ${span(run.attempts.startedAt[copy] ?? 0)}`;
}
