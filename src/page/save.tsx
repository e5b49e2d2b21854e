import { attemptRows, csv } from "../report/page/attempt-rows.ts";
import { chromeTrace } from "../report/page/chrome-trace.ts";
import type { PageState } from "./state.ts";

/** Files for other programs: tables, a trace, the picture of the timeline as it is now. */
export function Save({ state }: { readonly state: PageState }) {
  const { run } = state;
  const document = { head: run.head, attempts: run.attempts };
  const text = (name: string, type: string, of: () => string) => () =>
    save(name, new Blob([of()], { type }));
  const decided = () => csv([...run.head.decisions].map(({ attempt: _, ...one }) => one));
  const files: readonly (readonly [name: string, act: () => void])[] = [
    ["attempts, CSV", text("attempts.csv", "text/csv", () => csv(attemptRows(document)))],
    ["decisions, CSV", text("decisions.csv", "text/csv", decided)],
    ["Chrome trace", text("trace.json", "application/json", () => chromeTrace(document))],
    ["timeline, PNG", savePicture],
  ];
  return (
    <details class="save">
      <summary>save</summary>
      <div class="card padded">
        {files.map(([name, act]) => (
          <button type="button" key={name} onClick={act}>
            {name}
          </button>
        ))}
      </div>
    </details>
  );
}

function savePicture(): void {
  const canvas = document.querySelector("canvas.rows");
  if (!(canvas instanceof HTMLCanvasElement)) return;
  canvas.toBlob((blob) => {
    if (blob !== null) save("timeline.png", blob);
  });
}

function save(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
