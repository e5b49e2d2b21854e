import type { WhatIf } from "../../whatif/document.ts";

/** What the page asks of its simulator. */
export type Asked =
  | { readonly kind: "job"; readonly text: string; readonly format: string }
  | {
      readonly kind: "run";
      readonly policy: string;
      readonly sets: readonly string[];
      readonly seeds: number;
    };

/** A discipline, and the numbers that its speculation takes. */
export interface Offered {
  readonly policy: string;
  readonly params: readonly { readonly name: string; readonly value: number }[];
}

export type Answered =
  | { readonly kind: "ready"; readonly offered: readonly Offered[] }
  | { readonly kind: "progress"; readonly done: number; readonly all: number }
  | { readonly kind: "answer"; readonly whatif: WhatIf }
  | { readonly kind: "failed"; readonly reason: string };
