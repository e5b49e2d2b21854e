/**
 * The JSON schema of scenario files, made from the parser's shapes; the descriptions are the
 * comments of the types. A test checks that `scenario.schema.json` is fresh, and can write it.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { JsonSchema, Shape } from "../src/base/shape.ts";
import { scenario } from "../src/hosts/sim/scenario-shape.ts";
import { type Comments, commentsIn } from "./type-comments.ts";

const ROOT = new URL("../", import.meta.url);
/** Where the types of a scenario are described. */
const TYPES = ["src/hosts/sim/scenario.ts", "src/model/fault.ts"];
export const SCHEMA_FILE = fileURLToPath(new URL("scenario.schema.json", ROOT));

/** The text of the schema file. */
export function scenarioSchema(): string {
  const comments = TYPES.flatMap((path) => commentsIn(readFileSync(new URL(path, ROOT), "utf8")));
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A scenario of Broomwagon's simulator",
    ...new Schemas(comments).whole(scenario),
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** Shapes that occur more than once stand in `$defs`. */
class Schemas {
  readonly #comments: readonly Comments[];
  readonly #counts = new Map<Shape<unknown>, number>();
  readonly #names = new Map<Shape<unknown>, string>();
  readonly #defs = new Map<string, JsonSchema>();

  constructor(comments: readonly Comments[]) {
    this.#comments = comments;
  }

  whole(shape: Shape<unknown>): JsonSchema {
    this.#count(shape);
    const schema = this.#plain(shape);
    const names = [...this.#defs].sort(([a], [b]) => (a < b ? -1 : 1));
    return { ...schema, $defs: Object.fromEntries(names) };
  }

  #count(shape: Shape<unknown>): void {
    const count = this.#counts.get(shape) ?? 0;
    this.#counts.set(shape, count + 1);
    if (count > 0) return;
    schemaOf(shape, (inner) => {
      this.#count(inner);
      return {};
    });
  }

  #of(shape: Shape<unknown>): JsonSchema {
    const isShared = (this.#counts.get(shape) ?? 0) > 1;
    const schema = this.#plain(shape);
    // A short schema says more in its place.
    if (!isShared || JSON.stringify(schema).length < SHORT) return schema;
    const name = this.#nameOf(shape);
    this.#defs.set(name, schema);
    return { $ref: `#/$defs/${name}` };
  }

  #plain(shape: Shape<unknown>): JsonSchema {
    const schema = schemaOf(shape, (inner) => this.#of(inner));
    return isObjectSchema(schema) ? this.#described(schema) : schema;
  }

  /** With the comments of the type that has the same keys. */
  #described(schema: ObjectSchema): JsonSchema {
    const keys = Object.keys(schema.properties);
    const own = (of: Comments): number => keys.filter((key) => of.fields.has(key)).length;
    const kind = schema.properties.kind?.const;
    const same = this.#comments.filter(({ fields, kind: other }) =>
      kind === undefined || other === undefined ? fields.size > 0 : other === kind,
    );
    const [best] = [...same].sort((a, b) => own(b) - own(a) || a.fields.size - b.fields.size);
    const properties = Object.entries(schema.properties).map(([key, inner]) => {
      const about = best?.fields.get(key) ?? "";
      return [key, about === "" || inner.description ? inner : { ...inner, description: about }];
    });
    const isSame = best !== undefined && own(best) * 2 >= keys.length && best.about !== "";
    return {
      ...(isSame && { description: best.about }),
      ...schema,
      properties: Object.fromEntries(properties),
    };
  }

  #nameOf(shape: Shape<unknown>): string {
    const known = this.#names.get(shape);
    if (known !== undefined) return known;
    const words = shape.expected.replace(/, .*$/, "").replaceAll(/[^a-z0-9]+/g, "-");
    const taken = [...this.#names.values()].filter((name) => name.startsWith(words)).length;
    const name = taken === 0 ? words : `${words}-${taken + 1}`;
    this.#names.set(shape, name);
    return name;
  }
}

/** Characters of a schema that is written out wherever it occurs. */
const SHORT = 120;

type ObjectSchema = JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> };

const isObjectSchema = (schema: JsonSchema): schema is ObjectSchema => "properties" in schema;

function schemaOf(shape: Shape<unknown>, of: (inner: Shape<unknown>) => JsonSchema): JsonSchema {
  if (shape.schema !== undefined) return shape.schema(of);
  throw new Error(`the shape of ${shape.expected} has no schema: add one beside its \`read\``);
}
