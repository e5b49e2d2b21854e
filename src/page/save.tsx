import { type Act, Acts } from "./acts.tsx";
import { savePng } from "./draw/pictures.ts";
import type { PageState } from "./state.ts";
import type { FileName } from "./worker/files.ts";

const FILES: readonly (readonly [label: string, name: FileName])[] = [
  ["attempts, CSV", "attempts.csv"],
  ["decisions, CSV", "decisions.csv"],
  ["everything, JSON", "page.json"],
  ["Chrome trace", "trace.json"],
  ["timeline, SVG", "timeline.svg"],
];

interface Props {
  readonly state: PageState;
  /** What else can be saved. */
  readonly more: readonly Act[];
}

/** Files for other programs: tables, a trace, the whole timeline; and its picture as it is now. */
export function Save({ state, more }: Props) {
  const { head, attempts } = state.run;
  const document = { ...state.given, head, attempts };
  const worker = state.worker.value;
  const files = worker === undefined ? [] : FILES;
  return (
    <details class="save" name="menu">
      <summary>save</summary>
      <div class="card padded">
        <Acts
          of={[
            ...more,
            ...files.map(([label, name]) => [label, () => worker?.save(name, document)] as const),
            ["timeline as it is now, PNG", () => savePng("timeline")],
          ]}
        />
      </div>
    </details>
  );
}
