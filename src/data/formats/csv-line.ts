import { InputError } from "../../base/input-error.ts";
import { isDate } from "../../job/date.ts";

/**
 * A record as RFC 4180 has it, ended by a line feed: an object's fields by name, the elements of an
 * array and of arrays within it, or one field. `undefined` and null are empty fields.
 */
export function csvLine(
  record: unknown,
  how: {
    readonly names: readonly string[] | undefined;
    readonly separator: string;
    readonly textOfField: (value: unknown) => string;
  },
): string {
  const line = csvFields(fieldsOf(record, how.names).map(how.textOfField), how.separator);
  // Readers skip blank lines.
  return line === "" ? '""\n' : `${line}\n`;
}

function fieldsOf(record: unknown, names: readonly string[] | undefined): readonly unknown[] {
  if (Array.isArray(record)) {
    const fields: readonly unknown[] = record.flat(Number.POSITIVE_INFINITY);
    if (names === undefined || fields.length === names.length) return fields;
    const expected = `expected ${names.length} fields, found ${fields.length}`;
    throw new InputError("bad-job", "csv output", expected);
  }
  const isField = record instanceof Uint8Array || isDate(record);
  if (typeof record !== "object" || record === null || isField) {
    return [record];
  }
  if (names === undefined) {
    const expected = "expected `columns`, since records are objects: csv(path, { columns: [...] })";
    throw new InputError("bad-job", "csv output", expected);
  }
  return names.map((name) => Reflect.get(record, name));
}

/** A line without its end; a field that holds a separator, quote or line end is quoted. */
export const csvFields = (fields: readonly string[], separator: string): string =>
  fields.map((field) => quoted(field, separator)).join(separator);

function quoted(field: string, separator: string): string {
  const isPlain = !SPECIAL.test(field) && !field.includes(separator);
  return isPlain ? field : `"${field.replaceAll('"', '""')}"`;
}

const SPECIAL = /["\r\n]/;
