import { csv } from "../report/page/csv.ts";
import { Acts } from "./acts.tsx";
import { savePng, saveSvg } from "./draw/pictures.ts";
import type { ViewHelp } from "./view-help.ts";
import type { Works } from "./works.ts";

interface Props extends ViewHelp {
  readonly id: string;
  readonly name: string;
  /** The background colour of pictures. */
  readonly paper: string;
  readonly worker: Works | undefined;
}

/** A view's menu: copy its data, save its picture, or read how it is computed. */
export function ViewMenu({ id, name, rows, how, document: read, lines = [], ...look }: Props) {
  const copy = async (text: string): Promise<string> => {
    await navigator.clipboard.writeText(text);
    return "copied";
  };
  return (
    <details class="menu" name="menu">
      <summary aria-label={`menu of ${name}`}>⋯</summary>
      <div class="card padded">
        <Acts
          of={[
            ["copy as CSV", () => copy(csv(rows()))],
            ["copy as JSON", () => copy(`${JSON.stringify([...rows()])}\n`)],
            ["save as PNG", () => savePng(id)],
            ...(look.isDrawn === true
              ? [["save as SVG", () => saveSvg(id, look.paper, look.worker)] as const]
              : []),
          ]}
        />
        <p>
          How it is computed: {how} More in <code>{read}</code>.
        </p>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </details>
  );
}
