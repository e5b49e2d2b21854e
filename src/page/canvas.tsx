import { useSignal, useSignalEffect } from "@preact/signals";
import type { HTMLAttributes } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** A canvas in CSS pixels; `scale` device pixels each. */
export interface Surface {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

interface Props extends HTMLAttributes<HTMLCanvasElement> {
  /** What the canvas shows, in a sentence; empty for a layer that only marks. */
  readonly says: string;
  /** Draws; called again when a signal that it reads changes. */
  readonly draw: (surface: Surface) => void;
  readonly height: (width: number) => number;
}

/** How each canvas is drawn, for vector pictures. */
export const DRAWINGS = new WeakMap<HTMLCanvasElement, (surface: Surface) => void>();

/** A canvas as wide as its container. */
export function Canvas({ says, draw, height, ...rest }: Props) {
  const place = useRef<HTMLCanvasElement>(null);
  const width = useSignal(0);
  useLayoutEffect(() => {
    const canvas = place.current;
    if (canvas === null) return undefined;
    const observer = new ResizeObserver(() => {
      width.value = canvas.clientWidth;
    });
    observer.observe(canvas);
    width.value = canvas.clientWidth;
    return () => observer.disconnect();
  }, []);
  useSignalEffect(() => {
    const canvas = place.current;
    const context = canvas?.getContext("2d");
    if (!canvas || !context || width.value === 0) return;
    const scale = Math.min(2, Math.max(1, window.devicePixelRatio));
    const size = { width: width.value, height: height(width.value) };
    const [wide, high] = [Math.round(size.width * scale), Math.round(size.height * scale)];
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
      canvas.style.height = `${size.height}px`;
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    context.font = FONT;
    draw({ context, scale, ...size });
    DRAWINGS.set(canvas, draw);
  });
  return <canvas ref={place} {...accessible(says)} {...rest} />;
}

export const FONT = "11px system-ui, sans-serif";

const accessible = (says: string) =>
  says === "" ? { "aria-hidden": true as const } : { role: "img" as const, "aria-label": says };
