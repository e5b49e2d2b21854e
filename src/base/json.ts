/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export type ParsedJson =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly problem: string };

/** JSON.parse, with the error as a value. */
export function parseJson(text: string): ParsedJson {
  try {
    const value: Json = JSON.parse(text);
    return { ok: true, value };
  } catch (error) {
    return { ok: false, problem: `expected JSON: ${error instanceof Error ? error.message : ""}` };
  }
}

export const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !isList(value);

export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** What a field holds; a list is any array. */
type FieldKind = "string" | "number" | "boolean" | "object" | "list";
export type Fields = Readonly<Record<string, FieldKind>>;

/** Whether a value is an object that has these fields, among others. */
export function hasFields(value: unknown, fields: Fields): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(fields).every(([name, kind]) => {
    const field: unknown = Reflect.get(value, name);
    return Array.isArray(field) ? kind === "list" : field !== null && typeof field === kind;
  });
}
