/** time = base + perByte x bytes + perFarByte x bytes across racks. */
export interface Fit {
  readonly base: number;
  readonly perByte: number;
  readonly perFarByte: number;
}

export interface Observation {
  readonly bytes: number;
  readonly farBytes: number;
  readonly ms: number;
}

/**
 * Least squares. A regressor that does not vary, or varies only together with the first, is left
 * out, since it explains nothing more.
 */
export function regress(tasks: readonly Observation[]): Fit {
  const meanOf = (value: (task: Observation) => number) =>
    tasks.reduce((sum, task) => sum + value(task), 0) / tasks.length;
  const bytes = meanOf((task) => task.bytes);
  const far = meanOf((task) => task.farBytes);
  const ms = meanOf((task) => task.ms);
  let bb = 0;
  let bf = 0;
  let ff = 0;
  let bm = 0;
  let fm = 0;
  for (const task of tasks) {
    const b = task.bytes - bytes;
    const f = task.farBytes - far;
    const m = task.ms - ms;
    bb += b * b;
    bf += b * f;
    ff += f * f;
    bm += b * m;
    fm += f * m;
  }
  const slopes = solve({ bb, bf, ff, bm, fm });
  return { ...slopes, base: ms - slopes.perByte * bytes - slopes.perFarByte * far };
}

interface Moments {
  readonly bb: number;
  readonly bf: number;
  readonly ff: number;
  readonly bm: number;
  readonly fm: number;
}

const DEGENERATE = 1e-9;

function solve({ bb, bf, ff, bm, fm }: Moments): Omit<Fit, "base"> {
  const determinant = bb * ff - bf * bf;
  if (determinant > DEGENERATE * bb * ff) {
    return {
      perByte: (bm * ff - fm * bf) / determinant,
      perFarByte: (fm * bb - bm * bf) / determinant,
    };
  }
  if (bb > 0) return { perByte: bm / bb, perFarByte: 0 };
  return { perByte: 0, perFarByte: ff > 0 ? fm / ff : 0 };
}

export const predicted = ({ base, perByte, perFarByte }: Fit, task: Observation): number =>
  base + perByte * task.bytes + perFarByte * task.farBytes;
