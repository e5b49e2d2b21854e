/** Text for HTML and SVG, in a text or in an attribute. */
export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

export type Attributes = Readonly<Record<string, string | number>>;

/** `<name a="1">content</name>`; the content is markup, the attributes are text. */
export function element(name: string, attributes: Attributes, ...content: string[]): string {
  const text = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
    .join("");
  return `<${name}${text}>${content.join("")}</${name}>`;
}

/** A coordinate: a tenth of a pixel is enough. */
export const px = (value: number): number => Math.round(value * 10) / 10;
