import type { ComponentChildren } from "preact";
import type { PageState } from "./state.ts";
import { keep } from "./wire/keep.ts";
import type { FileName } from "./worker/files.ts";

const FILES: readonly (readonly [told: string, name: FileName])[] = [
  ["attempts, CSV", "attempts.csv"],
  ["decisions, CSV", "decisions.csv"],
  ["everything, JSON", "page.json"],
  ["Chrome trace", "trace.json"],
  ["timeline, SVG", "timeline.svg"],
];

interface Props {
  readonly state: PageState;
  /** More that can be kept. */
  readonly children: ComponentChildren;
}

/** Files for other programs: tables, a trace, the whole timeline; and its picture as it is now. */
export function Save({ state, children }: Props) {
  const { head, attempts } = state.run;
  const worker = state.worker.value;
  return (
    <details class="save" name="menu">
      <summary>save</summary>
      <div class="card padded">
        {children}
        {worker === undefined
          ? null
          : FILES.map(([told, name]) => (
              <button
                type="button"
                key={name}
                onClick={() => worker.save(name, { head, attempts })}
              >
                {told}
              </button>
            ))}
        <button type="button" onClick={savePicture}>
          timeline as it is now, PNG
        </button>
      </div>
    </details>
  );
}

const savePicture = (): void => savePng("canvas.rows", "timeline");

/** Keeps the canvases as they are now, a file each. */
export function savePng(selector: string, name: string): void {
  for (const [n, canvas] of document.querySelectorAll<HTMLCanvasElement>(selector).entries()) {
    canvas.toBlob((blob) => {
      if (blob !== null) keep(`${name}${n === 0 ? "" : `-${n + 1}`}.png`, blob);
    });
  }
}
