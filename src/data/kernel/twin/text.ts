import { ENTRY_BYTES, KEYS, type Kernel, VALUES } from "../kernel.ts";
import type { KernelMemory } from "../memory.ts";
import { byteAt, hasZero, readCount, readRecord } from "./bytes.ts";
import { readEntry } from "./entries.ts";
import { accumulatorOf } from "./records.ts";
import { isWhole, readNumber, readNumberKey } from "./values.ts";

const NUMBER_TAG = 0x04;
const STRING_TAG = 0x06;
const TAB = 0x09;
const RETURN = 0x0d;
const NEWLINE = 0x0a;
/** What a line may need beside its key's bytes, and what may be written beyond its end. */
const ROOM = 48 + 16;

/** `assembly/records.ts` */
export function textTwin(memory: KernelMemory): Pick<Kernel, "putText"> {
  return {
    putText(entries, count, keys, values, base, stride, out, outEnd, result) {
      const { bytes, view } = memory;
      let place = out;
      let isOther = 0;
      let i = 0;
      for (; i < count; i++) {
        const entry = entries + i * ENTRY_BYTES;
        const key = placesOf(memory, entry, keys);
        if (place + key.end - key.start + ROOM > outEnd) break;
        const keyText = textOfKey(memory, entry, keys, key, values === VALUES.none);
        const valueText =
          values === VALUES.record
            ? textOfNumber(readNumber(view, bytes, key.end)?.value)
            : textOfValue(view, values, accumulatorOf(view, { entry, values, base, stride }));
        if (keyText === undefined || valueText === undefined) {
          isOther = 1;
          break;
        }
        bytes.set(keyText, place);
        place += keyText.length;
        if (values !== VALUES.none) bytes[place++] = TAB;
        bytes.set(valueText, place);
        place += valueText.length;
        bytes[place++] = NEWLINE;
      }
      view.setUint32(result, place, true);
      view.setUint32(result + 4, isOther, true);
      return i;
    },
  };
}

const isFieldEnd = (byte: number): boolean => byte === TAB || byte === RETURN;

interface Places {
  readonly start: number;
  readonly end: number;
}

function placesOf({ bytes, view }: KernelMemory, entry: number, keys: number): Places {
  const { key, keyBytes, payload } = readEntry(view, entry);
  if (keys !== KEYS.record) return { start: key, end: key + keyBytes };
  const record = readRecord(bytes, payload);
  return { start: record.key, end: record.value };
}

/** Undefined: it cannot be written here. */
function textOfKey(
  { bytes, view }: KernelMemory,
  entry: number,
  keys: number,
  { start, end }: Places,
  isAlone: boolean,
): Uint8Array | undefined {
  if (keys === KEYS.plain) return bytes.subarray(start, end);
  if (keys === KEYS.number) return textOfNumber(readNumberKey(view, entry));
  if (byteAt(bytes, start) === STRING_TAG) {
    // Behind a zero stands its escape; the last zero is the string's end.
    const text = bytes.subarray(start + 1, end - 1);
    if (text.some((byte) => byte === NEWLINE || (!isAlone && isFieldEnd(byte)))) return undefined;
    if (!hasZero(bytes, start + 1, end - 1)) return text;
    return text.filter((_, i) => i === 0 || byteAt(text, i - 1) !== 0);
  }
  if (byteAt(bytes, start) !== NUMBER_TAG) return undefined;
  const reversed = bytes.slice(start + 1, start + 9).reverse();
  return textOfNumber(readNumberKey(new DataView(reversed.buffer), 0));
}

function textOfValue(view: DataView, values: number, at: number): Uint8Array | undefined {
  switch (values) {
    case VALUES.none:
      return new Uint8Array(0);
    case VALUES.constant:
      return undefined;
    case VALUES.slot:
    case VALUES.count:
      return textOfNumber(readCount(view, at));
    case VALUES.sum:
      return textOfNumber(view.getFloat64(at, true));
    case VALUES.mean:
      return textOfNumber(view.getFloat64(at, true) / readCount(view, at + 16));
    default:
      return textOfNumber(readNumberKey(view, at));
  }
}

const ascii = new TextEncoder();

function textOfNumber(value: number | undefined): Uint8Array | undefined {
  return value === undefined || !isWhole(value) ? undefined : ascii.encode(String(value));
}
