/** The comments of an interface: its own, and those of its fields, inherited ones among them. */
export interface Comments {
  readonly name: string;
  readonly about: string;
  /** By key; "" if the field has none. */
  readonly fields: ReadonlyMap<string, string>;
  /** The value of its `kind`, if it has one. */
  readonly kind: string | undefined;
}

const COMMENT = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*/.source;
const INTERFACE = new RegExp(
  `(?:${COMMENT})?(?:export )?interface (\\w+)(?: extends ([\\w, ]+))? \\{\\n([\\s\\S]*?)\\n\\}`,
  "g",
);
const FIELD = new RegExp(`(?:${COMMENT})?readonly (\\w+)\\??: ([^;]*);`, "g");

/** The interfaces of a source in our format. */
export function commentsIn(source: string): readonly Comments[] {
  const found = new Map<string, Comments>();
  for (const [, about = "", name = "", bases = "", body = ""] of source.matchAll(INTERFACE)) {
    const fields = new Map<string, string>();
    for (const base of bases.split(", ")) {
      for (const [key, text] of found.get(base)?.fields ?? []) fields.set(key, text);
    }
    let kind: string | undefined;
    for (const [, text = "", key = "", type = ""] of body.matchAll(FIELD)) {
      fields.set(key, oneLine(text));
      if (key === "kind") kind = /^"([\w-]+)"$/.exec(type)?.[1];
    }
    found.set(name, { name, about: oneLine(about), fields, kind });
  }
  return [...found.values()];
}

const oneLine = (comment: string): string =>
  comment
    .replaceAll(/^\s*\* ?/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
