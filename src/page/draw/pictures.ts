import { escaped } from "../../report/markup.ts";
import { DRAWINGS, FONT } from "../canvas.tsx";
import { keep } from "../wire/keep.ts";
import type { Call, Drawing } from "../worker/svg.ts";
import type { Works } from "../works.ts";

/** Device pixels of a picture per pixel of the page. */
const SHARP = 2;
/** The margin around a view. */
const ROOM = 44;

/** Saves each canvas of a view as a vector file. `paper`: the ground's colour. */
export function saveSvg(id: string, paper: string, worker: Works | undefined): void {
  // A layer that only marks has no role.
  const canvases = document.querySelectorAll<HTMLCanvasElement>(`#${id} canvas[role]`);
  for (const [n, canvas] of canvases.entries()) {
    worker?.saveDrawing(`${id}${n === 0 ? "" : `-${n + 1}`}.svg`, recorded(canvas, paper));
  }
}

/** Saves a view as it is now, words and canvases. Rejects if the browser does not allow it. */
export async function savePng(id: string): Promise<void> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(framed(document.querySelector(`#${id}`)))}`;
  await image.decode();
  const [width, height] = [SHARP * image.width, SHARP * image.height];
  const context = contextOf({ width, height });
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, width, height);
  context.drawImage(image, 0, 0, width, height);
  context.canvas.toBlob((blob) => {
    if (blob !== null) keep(`${id}.png`, blob);
  });
}

/** A copy of a view with the page's style, as an image that a canvas can draw. */
function framed(view: HTMLElement | null): string {
  if (view === null) return "";
  const copy = document.importNode(view, true);
  const drawn = view.querySelectorAll("canvas");
  for (const [n, blank] of copy.querySelectorAll("canvas").entries()) {
    const image = new Image();
    image.src = drawn[n]?.toDataURL() ?? "";
    image.className = blank.className;
    image.style.cssText = `${blank.style.cssText};display:block;width:100%`;
    blank.replaceWith(image);
  }
  const inputs = view.querySelectorAll("input");
  for (const [n, input] of copy.querySelectorAll("input").entries()) {
    // Typed text is not an attribute, so a copy lacks it.
    input.setAttribute("value", inputs[n]?.value ?? "");
  }
  for (const menu of copy.querySelectorAll("details")) menu.remove();
  const { clientWidth, dataset } = document.documentElement;
  const style = escaped(document.querySelector("style")?.textContent ?? "");
  const inside = new XMLSerializer().serializeToString(copy);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" data-theme="${dataset.theme}" ` +
    `width="${clientWidth}" height="${view.offsetHeight + ROOM}">` +
    `<foreignObject width="100%" height="100%"><body xmlns="http://www.w3.org/1999/xhtml">` +
    `<style>${style}</style><main>${inside}</main></body></foreignObject></svg>`
  );
}

/** What a canvas shows, as the calls that draw it. `paper`: the colour of the ground. */
function recorded(canvas: HTMLCanvasElement, paper: string): Drawing {
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
function contextOf(size: Pick<HTMLCanvasElement, "width" | "height">) {
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
