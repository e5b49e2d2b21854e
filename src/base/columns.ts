/** Stands for "no row" and "no place". */
export const NONE = -1;

export function longer(old: Float64Array, room: number): Float64Array {
  const column = new Float64Array(room);
  column.set(old);
  return column;
}

export function longerIntegers(old: Int32Array, room: number): Int32Array {
  const column = new Int32Array(room);
  column.set(old);
  return column;
}

export function longerBytes(old: Uint8Array, room: number): Uint8Array {
  const column = new Uint8Array(room);
  column.set(old);
  return column;
}
