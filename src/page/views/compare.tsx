import { CAUSE_NAMES } from "../../diagnose/cause.ts";
import { plain, span as seconds } from "../../diagnose/figures.ts";
import { Scroll } from "../scroll.tsx";
import type { PageState } from "../state.ts";

/** What differs from another run of the job. */
export function CompareView({ state }: { readonly state: PageState }) {
  const found = state.run.head.compare;
  if (found === undefined) return null;
  const { a, b, changeMs, settings, causes, tasks } = found;
  const all = tasks.matched + tasks.unmatched;
  return (
    <div>
      <p>
        This run took {seconds(Math.abs(changeMs))} {changeMs < 0 ? "less" : "more"} than {a.id}:{" "}
        {seconds(b.responseMs)} instead of {seconds(a.responseMs)}.
        {settings.length === 0
          ? ""
          : ` Settings that differ: ${settings.map((one) => `${one.name} ${one.a ?? "–"} → ${one.b ?? "–"}`).join("; ")}.`}
      </p>
      <div
        class="plots"
        style={{ gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 420px), 1fr))" }}
      >
        <Changes
          title="cause"
          rows={causes.map((row) => ({
            ...row,
            name: row.cause === "usual" ? "usual" : CAUSE_NAMES[row.cause],
          }))}
        />
        <Changes
          title="tasks that changed most"
          rows={tasks.most.map((row) => ({ ...row, name: row.task }))}
        />
      </div>
      <p class="faint">
        {tasks.matched} of {all} tasks matched; median change{" "}
        {(100 * tasks.medianChange).toFixed(1)} %; chance does as much in{" "}
        {(100 * tasks.chance).toFixed(1)} % of sign flips.
      </p>
    </div>
  );
}

interface ChangesProps {
  readonly title: string;
  readonly rows: readonly {
    readonly name: string;
    readonly aMs: number;
    readonly bMs: number;
    readonly changeMs: number;
  }[];
}

function Changes({ title, rows }: ChangesProps) {
  return (
    <Scroll name={title}>
      <table>
        <thead>
          <tr>
            <th>{title}</th>
            <th class="n">other, s</th>
            <th class="n">this, s</th>
            <th class="n">change, s</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, aMs, bMs, changeMs }) => (
            <tr key={name}>
              <td>{name}</td>
              <td class="n">{plain(aMs)}</td>
              <td class="n">{plain(bMs)}</td>
              <td class="n">
                {changeMs > 0 ? "+" : ""}
                {plain(changeMs)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
