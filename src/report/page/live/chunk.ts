import { CURVE_POINTS } from "../../../history/columns.ts";
import { type LiveColumn, liveColumns } from "./frame.ts";

export const CHUNK = 4_096;

type Cells = Int32Array | Uint8Array | Float32Array | Float64Array;

/** `CHUNK` rows of consecutive ids. A reader that has seen `latest` has seen them all. */
export interface Chunk {
  readonly columns: { readonly [name in LiveColumn]: Cells };
  readonly curves: Float32Array;
  /** 0: no such row. */
  readonly changedAt: Uint32Array;
  latest: number;
}

const SMALL: ReadonlySet<LiveColumn> = new Set(["as", "end"]);
const LARGE: ReadonlySet<LiveColumn> = new Set(["startedAt", "endedAt", "inputBytes"]);

export const emptyChunk = (): Chunk => ({
  columns: liveColumns((name) => {
    if (name === "score") return new Float32Array(CHUNK);
    if (SMALL.has(name)) return new Uint8Array(CHUNK);
    return LARGE.has(name) ? new Float64Array(CHUNK) : new Int32Array(CHUNK);
  }),
  curves: new Float32Array(CHUNK * CURVE_POINTS),
  changedAt: new Uint32Array(CHUNK),
  latest: 0,
});
