import { boxPath, element, px, text } from "../../report/markup.ts";

/** What a canvas shows, as the calls that draw it. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** The colour of the ground. */
  readonly paper: string;
  readonly calls: readonly Call[];
}

/** A call of a canvas's context, and the style in which it draws. */
export interface Call {
  readonly name: string;
  /** For an image: its address, width and height. */
  readonly given: readonly (number | string)[];
  readonly look: Look;
}

interface Look {
  readonly fillStyle: string;
  readonly strokeStyle: string;
  readonly globalAlpha: number;
  readonly lineWidth: number;
  readonly dash: string;
  readonly textAlign: string;
  readonly textBaseline: string;
  /** Where the origin lies. */
  readonly e: number;
  readonly f: number;
  /** Whether the call draws below everything drawn before. */
  readonly isUnder: boolean;
}

const ANCHORS: Readonly<Record<string, string>> = { center: "middle", right: "end" };
/** The distance from a text's line to its baseline. */
/** From a text's place down to its letters' feet: other baselines are the feet. */
const baselineOf = (baseline: string): number =>
  baseline === "top" ? 9 : baseline === "middle" ? 4 : 0;

/** The drawing as SVG; the bars of a timeline are an embedded image. */
export function svgOf({ width, height, paper, calls }: Drawing): string {
  let [under, over, path, clip] = ["", "", "", ""];
  for (const [n, { name, given, look }] of calls.entries()) {
    const [x = 0, y = 0, w = 0, h = 0] = given.map(Number);
    let drawn = "";
    if (name === "beginPath") path = "";
    else if (name === "moveTo") path += `M${px(x)} ${px(y)}`;
    else if (name === "lineTo") path += `L${px(x)} ${px(y)}`;
    else if (name === "rect") path += boxPath({ x, y, width: w, height: h });
    else if (name === "arc") {
      const half = `a${w} ${w} 0 1 0 `;
      path += `M${px(x - w)} ${px(y)}${half}${2 * w} 0${half}${-2 * w} 0`;
    } else if (name === "restore") clip = "";
    else if (name === "clip") {
      drawn = element("clipPath", { id: `c${n}` }, element("path", { d: path, ...placeOf(look) }));
      clip = `url(#c${n})`;
    } else if (name === "putImageData") {
      drawn = element("image", { href: `${given[0]}`, width: y, height: w, ...placeOf(look) });
    } else if (name === "fillText") {
      const at = { x: y, y: w + baselineOf(look.textBaseline) };
      const anchor = { "text-anchor": ANCHORS[look.textAlign] };
      // The greatest width of the text: letters move together to fit.
      const fit = { textLength: h || undefined };
      drawn = text(`${given[0]}`, { ...at, ...anchor, ...fit, ...paintOf("fill", look) });
    } else if (/^(fill|stroke)/.test(name)) {
      const paint = paintOf(name.startsWith("fill") ? "fill" : "stroke", look);
      const shape = name.endsWith("Rect") ? boxPath({ x, y, width: w, height: h }) : path;
      drawn = element("path", { d: shape, ...paint, "clip-path": clip || undefined });
    }
    // What is drawn below the rest comes first.
    if (look.isUnder) under = drawn + under;
    else over += drawn;
  }
  const letters = { "font-size": 11, "font-family": "sans-serif" };
  const ground = element("path", { d: boxPath({ x: 0, y: 0, width, height }), fill: paper });
  const svg = { xmlns: "http://www.w3.org/2000/svg", width, height, ...letters };
  return element("svg", svg, ground, under, over);
}

const placeOf = ({ e, f }: Look) => ({
  transform: e === 0 && f === 0 ? undefined : `translate(${px(e)} ${px(f)})`,
});

function paintOf(by: "fill" | "stroke", look: Look) {
  const color = by === "fill" ? look.fillStyle : look.strokeStyle;
  const [, solid, alpha = 1] = /^rgba\((.*), (.*)\)$/.exec(color) ?? [];
  const opacity = look.globalAlpha * Number(alpha);
  return {
    fill: "none",
    [by]: solid === undefined ? color : `rgb(${solid})`,
    opacity: opacity < 1 ? opacity : undefined,
    ...(by === "stroke" && {
      "stroke-width": look.lineWidth,
      "stroke-dasharray": look.dash || undefined,
    }),
    ...placeOf(look),
  };
}
