import { useSignal } from "@preact/signals";
import { cell } from "../base/rows.ts";
import { sizeText, span, times } from "./format.ts";
import { Link } from "./link.tsx";
import type { Run } from "./run.ts";
import { Scroll } from "./scroll.tsx";
import { type Cells, Table } from "./table.tsx";

/** The most rows of a table. */
const ROWS = 50;

interface Props<T> {
  readonly name: string;
  readonly heads: readonly string[];
  /** The rows; computed when the table is opened. */
  readonly of: () => readonly T[];
  readonly cells: (one: T) => Cells;
}

/** What a canvas shows, for readers who cannot see it: a table that is made when it is opened. */
export function AsTable<T>({ name, heads, of, cells }: Props<T>) {
  const isOpen = useSignal(false);
  const all = isOpen.value ? of() : [];
  return (
    <details
      class="as-table"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>{name} as a table</summary>
      <Scroll name={`${name} as a table`}>
        <Table of={heads} rows={all.slice(0, ROWS).map(cells)} />
        {all.length > ROWS ? (
          <p class="faint">and {all.length - ROWS} more: zoom, or use the find field at the top</p>
        ) : null}
      </Scroll>
    </details>
  );
}

/** What `attemptCells` says of an attempt. */
export const ATTEMPT_HEADS = [
  "attempt",
  "node",
  "kind",
  "n:from",
  "n:took",
  "end",
  "n:expected",
  "n:times expected",
  "n:read",
] as const;

/** An attempt as a row. `select`: what its name does, if it is a link. */
export const attemptCells =
  (run: Run, select?: (i: number) => void) =>
  (i: number): Cells => {
    const { startedAt, expectedMs } = run.attempts;
    const [name, bytes] = [run.nameOf(i), run.readBytes(i)];
    return [
      select === undefined ? name : <Link onClick={() => select(i)}>{name}</Link>,
      run.shortName(run.nodeOf(i)),
      run.kindOf(i),
      span(cell(startedAt[i])),
      span(run.tookMs(i)),
      run.endText(i),
      span(cell(expectedMs[i])),
      times(run.timesOf(i)),
      bytes >= 0 ? sizeText(bytes) : "–",
    ];
  };
