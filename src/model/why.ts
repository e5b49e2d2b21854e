/** The rule that decided, and the numbers it compared. Numbers carry their unit in their name. */
export interface Why {
  readonly rule: string;
  readonly numbers: Numbers;
}

export type Numbers = { readonly [name: string]: number | string };

const NOTHING: Numbers = {};

/** A why without numbers. Made once, at module level, it costs a scheduler nothing. */
export function rule(name: string): Why {
  return { rule: name, numbers: NOTHING };
}
