/**
 * What the response consists of beside the causes of lateness: `usual` taken apart
 * (docs/papers/attribution.md).
 */
export const PARTS = ["work", "few-tasks", "launching", "no-slot", "driver"] as const;
export type Part = (typeof PARTS)[number];

/** How the part is named in reports. */
export const PART_NAMES: Readonly<Record<Part, string>> = {
  work: "usual work",
  "few-tasks": "too few tasks",
  launching: "launching tasks",
  "no-slot": "waiting for slots",
  driver: "driver alone",
};
