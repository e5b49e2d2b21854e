import { Malformed } from "./malformed.ts";

/** The fields of one record by RFC 4180, given with or without its line end; throws Malformed. */
export function parseFields(record: string, separator: string): string[] {
  const end = record.endsWith("\n")
    ? record.length - (record.endsWith("\r\n") ? 2 : 1)
    : record.length;
  const text = record.slice(0, end);
  const fields: string[] = [];
  for (let at = 0; ; ) {
    const field = text[at] === '"' ? quoted(text, at) : plain(text, at, separator);
    fields.push(field.value);
    if (field.end === text.length) return fields;
    if (text[field.end] !== separator) {
      const found = JSON.stringify(text.slice(at, at + 40));
      throw new Malformed(`expected quotes around a whole field, found ${found}`);
    }
    at = field.end + 1;
  }
}

interface Field {
  readonly value: string;
  /** The place where the separator, or the record's end, is expected. */
  readonly end: number;
}

function plain(text: string, at: number, separator: string): Field {
  const next = text.indexOf(separator, at);
  const end = next < 0 ? text.length : next;
  const quote = text.indexOf('"', at);
  return { value: text.slice(at, end), end: quote >= 0 && quote < end ? quote : end };
}

function quoted(text: string, at: number): Field {
  let value = "";
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return { value, end: at };
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}
