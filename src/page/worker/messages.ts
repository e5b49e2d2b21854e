import type { Why } from "../../diagnose/document.ts";
import type { Limits } from "../../diagnose/limits.ts";
import type { Note } from "../../history/model.ts";
import type { PageDocument, PageUnits } from "../../report/page/document.ts";
import type { WhatIf } from "../../whatif/document.ts";
import type { FileName } from "./files.ts";
import type { Drawing } from "./svg.ts";

/** What the page asks of its worker. */
export type Asked =
  | {
      readonly kind: "job";
      readonly bytes: ArrayBuffer;
      readonly format: string;
      /** The page whose table holds the job's attempts. */
      readonly document: PageDocument;
    }
  | {
      readonly kind: "run";
      readonly policy: string;
      /** Differences from the settings that were offered with the policy. */
      readonly sets: readonly string[];
      readonly seeds: number;
    }
  | {
      readonly kind: "diagnose";
      readonly limits: Partial<Limits>;
      readonly notes: readonly Note[];
    }
  | { readonly kind: "file"; readonly name: FileName; readonly document: PageDocument }
  | { readonly kind: "drawing"; readonly name: string; readonly drawing: Drawing };

/** A discipline, and the numbers that its speculation takes. */
export interface Offered {
  readonly policy: string;
  /** The policy's name, and whether its settings are the recorded ones. */
  readonly told: string;
  readonly params: readonly {
    readonly name: string;
    readonly value: number;
    readonly about: string;
  }[];
}

/** The diagnosis with other limits, and what it says of each attempt. */
export interface Diagnosed {
  readonly limits: Partial<Limits>;
  readonly why: Why;
  readonly units?: PageUnits;
  /** Of the attempts of each phase of the job, in the order of the page's table. */
  readonly phases: readonly {
    readonly expectedMs: Float64Array;
    readonly delayMs: Float64Array;
  }[];
}

export type Answered =
  /**
   * The form starts from the first. Nothing is offered for a job of which a page has too little
   * progress to simulate it.
   */
  | { readonly kind: "ready"; readonly offered: readonly Offered[] }
  | { readonly kind: "progress"; readonly done: number; readonly all: number }
  /** The answer, with the rows of earlier answers. */
  | { readonly kind: "answer"; readonly whatif: WhatIf }
  | { readonly kind: "diagnosed"; readonly found: Diagnosed }
  | {
      readonly kind: "file";
      readonly name: string;
      readonly type: string;
      readonly text: string;
    }
  | { readonly kind: "failed"; readonly reason: string };
