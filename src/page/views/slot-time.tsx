import { useMemo } from "preact/hooks";
import { percent, span } from "../format.ts";
import { slotTimes } from "../slot-time.ts";
import type { PageState } from "../state.ts";
import { Table } from "../table.tsx";

/** Where slot time went. */
export function SlotTime({ state }: { readonly state: PageState }) {
  const { run } = state;
  const parts = useMemo(() => slotTimes(run), [run]);
  const all = parts.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <div>
      <div class="whole" aria-hidden="true">
        {parts.map(({ name, ms, color }) => (
          <span
            key={name}
            title={`${name} ${span(ms)}`}
            style={{ width: `${(100 * ms) / all}%`, background: color }}
          />
        ))}
      </div>
      <Table
        class="slots"
        of={["what became of it", "n:slot-seconds", "n:share"]}
        rows={parts.map(({ name, ms, color }) => [
          <>
            <i class="mark" style={{ background: color }} />
            {name}
          </>,
          span(ms),
          percent(ms / all),
        ])}
      />
      <p class="faint">
        {run.head.slotsKnown
          ? `Of ${run.slots} slots: ${span(all)} of slot time in all.`
          : "This log does not tell how many slots there were: idle time is unknown."}
      </p>
    </div>
  );
}
