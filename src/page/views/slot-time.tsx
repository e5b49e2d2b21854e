import { useMemo } from "preact/hooks";
import { percent, span } from "../format.ts";
import { slotTimes } from "../slot-time.ts";
import type { PageState } from "../state.ts";

/** Where slot time went. */
export function SlotTime({ state }: { readonly state: PageState }) {
  const { run } = state;
  const parts = useMemo(() => slotTimes(run), [run]);
  const all = parts.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <div>
      <div
        class="whole"
        role="img"
        aria-label={parts.map(({ name, ms }) => `${name} ${span(ms)}`).join(", ")}
      >
        {parts.map(({ name, ms, color }) => (
          <span
            key={name}
            title={`${name} ${span(ms)}`}
            style={{ width: `${(100 * ms) / all}%`, background: color }}
          />
        ))}
      </div>
      <div class="legend">
        {parts.map(({ name, ms, color }) => (
          <span key={name}>
            <i class="mark" style={{ background: color }} />
            {name} <b>{span(ms)}</b> {percent(ms / all)}
          </span>
        ))}
      </div>
      {run.head.slotsKnown ? null : (
        <p class="faint">This log does not tell how many slots there were: idle time is unknown.</p>
      )}
    </div>
  );
}
