import { escaped } from "../../report/markup.ts";
import { keep } from "../wire/keep.ts";
import type { Works } from "../works.ts";
import { contextOf, recorded } from "./recorded.ts";

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
