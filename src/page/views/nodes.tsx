import { useMemo } from "preact/hooks";
import { AsTable } from "../as-table.tsx";
import { Canvas } from "../canvas.tsx";
import { drawMatrix, verdictText } from "../draw/matrix.ts";
import { percent } from "../format.ts";
import { type NodeSpeed, nodeSpeeds } from "../node-speed.ts";
import type { Run } from "../run.ts";
import type { PageState } from "../state.ts";
import { INKS } from "../theme.ts";

const BINS_MAX = 160;
const HIGHEST = 20;
/** Beyond this many pixels, rows become thinner. */
const HEIGHT = 420;
const NAMED = 24;
const AXIS = 22;

/** Whether it was one node, all the time or in spells. */
export function Nodes({ state }: { readonly state: PageState }) {
  const { run } = state;
  const { isLive } = run.head;
  const rows = useMemo(() => (isLive ? [] : nodeSpeeds(run, binsFor(run))), [run]);
  const named = rows.slice(0, NAMED);
  const others = rows.slice(NAMED);
  const thin = Math.max(0.5, Math.min(6, (HEIGHT - NAMED * 14) / Math.max(1, others.length)));
  const each = others.length > 0 ? 14 : Math.min(HIGHEST, HEIGHT / Math.max(1, rows.length));
  const sizes = (width: number) => ({
    gutter: width < 560 ? 72 : 124,
    margin: width < 560 ? 76 : width < 1_000 ? 330 : 390,
  });
  const show = (list: typeof rows, high: number) => (event: MouseEvent) => {
    const row = list[Math.floor(event.offsetY / high)];
    if (row === undefined) return;
    state.showNode(run.head.nodes[row.node]?.name ?? "");
    document.getElementById("timeline")?.scrollIntoView();
  };
  const draw = (list: typeof rows, high: number) => (surface: Parameters<typeof drawMatrix>[0]) =>
    drawMatrix(surface, run, {
      rows: list,
      each: high,
      ...sizes(surface.width),
      inks: INKS[state.theme.value],
    });
  if (rows.every(({ attempts }) => attempts === 0)) {
    return (
      <p class="faint">
        {isLive
          ? "Nodes are compared when the run is over."
          : "Too few attempts of a kind ran to compare the nodes."}
      </p>
    );
  }
  return (
    <div class="card padded">
      <Canvas
        says={`Speed of ${named.length} nodes over time beside their peers, the slowest first: ${named
          .slice(0, 5)
          .map(({ node }) => run.head.nodes[node]?.name)
          .join(", ")}.`}
        height={() => named.length * each + AXIS}
        draw={draw(named, each)}
        onClick={show(named, each)}
      />
      {others.length === 0 ? null : (
        <>
          <p class="faint">The other {others.length} nodes, each a line:</p>
          <Canvas
            says={`Speed of the other ${others.length} nodes.`}
            height={() => Math.ceil(others.length * thin) + AXIS}
            draw={draw(others, thin)}
            onClick={show(others, thin)}
          />
        </>
      )}
      <SpeedTable run={run} rows={rows} />
      <p class="faint">
        Orange: slower than the attempts of the same phase that ran just then; blue: faster; grey:
        silent or lost. “×” is slot time over the expected time of the work done, killed attempts
        included; in brackets the diagnosis's factor and its 95 % interval. Only the diagnosis calls
        a node slow.
      </p>
    </div>
  );
}

const SpeedTable = ({ run, rows }: { readonly run: Run; readonly rows: readonly NodeSpeed[] }) => (
  <AsTable
    name="speed of nodes"
    heads={["node", "slot time over the expected time", "n:slower than its peers"]}
    of={() => rows}
    cells={(row) => [
      run.shortNode(row.node),
      verdictText(run, row),
      `${percent(slowShare(row))} of the time`,
    ]}
  />
);

/** The share of the time in which the node was clearly slower than its peers. */
function slowShare({ speed }: NodeSpeed): number {
  const known = speed.filter((one) => !Number.isNaN(one));
  return known.filter((one) => one < 0.8).length / known.length;
}

/** A bin is a fifth of an attempt's time: within shorter bins, progress comes in jumps. */
function binsFor(run: PageState["run"]): number {
  const took = run.attempts.endedAt.map((end, i) => end - run.startedAt(i)).sort();
  const usual = took[Math.floor(took.length / 2)] ?? 1;
  return Math.max(60, Math.min(BINS_MAX, Math.ceil((5 * run.head.endsAt) / Math.max(1, usual))));
}
