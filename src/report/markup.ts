/** Small pieces of SVG and HTML. Lengths are in pixels, rounded to what the eye can see. */

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** `<name a="1">inside</name>`; `inside` is markup, the attributes are text. */
export function element(name: string, attributes: Attributes, ...inside: string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) => ` ${key}="${typeof value === "number" ? px(value) : escaped(`${value}`)}"`,
    )
    .join("");
  return `<${name}${written}>${inside.join("")}</${name}>`;
}

export const px = (value: number): string => String(Math.round(value * 100) / 100);

export const text = (content: string, attributes: Attributes): string =>
  element("text", attributes, escaped(content));

export const title = (content: string): string => element("title", {}, escaped(content));

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The path of one box, to be joined with others of the same look. */
export const boxPath = ({ x, y, width, height }: Box): string =>
  `M${px(x)} ${px(y)}h${px(width)}v${px(height)}h${px(-width)}z`;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Escapes text for HTML and SVG, both in elements and in attributes. */
export const escaped = (raw: string): string =>
  raw.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
