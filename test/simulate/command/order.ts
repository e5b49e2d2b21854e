/** A thread's reported world while it runs none. */
export const NO_WORLD = -1;

export type Order =
  | { readonly kind: "run"; readonly first: number; readonly count: number; readonly every: number }
  | { readonly kind: "shrink"; readonly seed: number; readonly forMs: number };

export type Answer =
  | {
      readonly kind: "kept";
      readonly first: number;
      readonly count: number;
      readonly steps: number;
    }
  | { readonly kind: "broken"; readonly seed: number; readonly message: string }
  | {
      readonly kind: "shrunk";
      readonly cuts: readonly string[];
      readonly message: string;
      readonly journal: readonly string[];
    };
