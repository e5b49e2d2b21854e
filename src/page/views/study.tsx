import { interval95, paired95 } from "../../base/stats.ts";
import { plain, signed } from "../../diagnose/figures.ts";
import type { Study, StudySoFar } from "../../report/page/study.ts";
import { Heads } from "../heads.tsx";
import { Scroll } from "../scroll.tsx";
import type { PageState } from "../state.ts";

/** A study in progress: means with 95 % intervals, and each row against the first. */
export function StudyView({ state }: { readonly state: PageState }) {
  const study = state.study.value;
  if (study === undefined) return null;
  const axis = `bar:mean and interval, 0 to ${plain(mostOf(study))} s`;
  const done = study.rows.reduce((sum, { responseMs }) => sum + responseMs.length, 0);
  return (
    <section id="study" aria-label="study" tabIndex={-1}>
      <h2>Study of {study.scenario}</h2>
      <small>{done} runs; below is the first run of the first row</small>
      <Scroll name="disciplines">
        <table class="folds study">
          <Heads
            of={[
              "discipline",
              "n:runs",
              "n:response, s",
              "95 %, s",
              axis,
              "n:against the first, s",
            ]}
          />
          <tbody>
            {study.rows.map((row) => (
              <Row key={row.label} row={row} study={study} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function Row({ row, study }: { readonly row: StudySoFar; readonly study: Study }) {
  const { mean, halfWidth } = interval95(row.responseMs);
  const [first] = study.rows;
  const pairs = Math.min(row.responseMs.length, first?.responseMs.length ?? 0);
  const change =
    row === first || pairs < 2
      ? undefined
      : paired95({
          from: (first?.responseMs ?? []).slice(0, pairs),
          to: row.responseMs.slice(0, pairs),
        });
  const most = mostOf(study);
  const at = (ms: number): string => `${(100 * ms) / most}%`;
  const half = Number.isFinite(halfWidth) ? halfWidth : 0;
  const low = Math.max(0, mean - half);
  return (
    <tr>
      <td>{row.label}</td>
      <td class="n">
        {row.responseMs.length} of {study.seeds}
      </td>
      <td class="n">{plain(mean)}</td>
      <td>{half === 0 ? "–" : `${plain(mean - half)} to ${plain(mean + half)}`}</td>
      <td class="bar">
        <div class="interval">
          <b style={{ left: at(low), width: at(mean + half - low) }} />
          <s style={{ left: at(mean) }} />
        </div>
      </td>
      <td class="n">
        {change === undefined ? "–" : `${signed(change.mean)} ± ${plain(change.halfWidth)}`}
      </td>
    </tr>
  );
}

/** The end of the axis, in ms, which covers all runs and intervals. */
const mostOf = ({ rows }: Study): number =>
  1.05 *
  Math.max(
    1,
    ...rows.flatMap(({ responseMs }) => {
      const { mean, halfWidth } = interval95(responseMs);
      return [...responseMs, mean + halfWidth].filter(Number.isFinite);
    }),
  );
