import { DRAWINGS, FONT } from "../canvas.tsx";
import type { Call, Drawing } from "../worker/svg.ts";

/** What a canvas shows, as the calls that draw it. `paper`: the colour of the ground. */
export function recorded(canvas: HTMLCanvasElement, paper: string): Drawing {
  const size = { width: canvas.clientWidth, height: canvas.clientHeight };
  // A twin context receives every call too: it knows colours, positions and text widths.
  const twin = contextOf(size);
  twin.font = FONT;
  const calls: Call[] = [];
  const context = new Proxy(twin, {
    get(_, name) {
      const own: unknown = Reflect.get(twin, name);
      if (typeof own !== "function") return own;
      return (...given: unknown[]): unknown => {
        calls.push(callOf(twin, String(name), given));
        return Reflect.apply(own, twin, given);
      };
    },
    set: (_, name, value: unknown) => Reflect.set(twin, name, value),
  });
  DRAWINGS.get(canvas)?.({ ...size, scale: 1, context });
  return { ...size, paper, calls };
}

/** A canvas of its own. */
export function contextOf(size: Pick<HTMLCanvasElement, "width" | "height">) {
  const context = Object.assign(document.createElement("canvas"), size).getContext("2d");
  if (context === null) throw new Error("This browser draws no more.");
  return context;
}

/** A call with the style in which it draws. */
function callOf(twin: CanvasRenderingContext2D, name: string, given: readonly unknown[]): Call {
  const { fillStyle, strokeStyle, globalAlpha, lineWidth, textAlign, textBaseline } = twin;
  const { e, f } = twin.getTransform();
  const isUnder = twin.globalCompositeOperation === "destination-over";
  const dash = twin.getLineDash().join(" ");
  const styles = { fillStyle: String(fillStyle), strokeStyle: String(strokeStyle) };
  const look = { ...styles, globalAlpha, lineWidth, textAlign, textBaseline, e, f, isUnder, dash };
  const [first, ...places] = given;
  if (typeof first === "string" && twin.measureText(first).width <= Number(places[2])) places.pop();
  if (!(first instanceof ImageData)) return { name, given: [first, ...places].map(told), look };
  const { width, height } = first;
  const image = contextOf({ width, height });
  image.putImageData(first, 0, 0);
  return { name, given: [image.canvas.toDataURL(), width, height], look };
}

const told = (value: unknown): string | number =>
  typeof value === "number" ? value : String(value);
