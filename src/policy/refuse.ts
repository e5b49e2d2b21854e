import type { Ask } from "../model/action.ts";
import type { TaskId } from "../model/ids.ts";
import type { Numbers } from "../model/why.ts";

const NOTHING: readonly Ask[] = [];

/** A refusal with its reason, built only if the scheduler explains. */
export function refuse(
  ctx: { readonly explains: boolean },
  rule: string,
  numbers: () => Numbers,
  task?: TaskId,
): readonly Ask[] {
  if (!ctx.explains) return NOTHING;
  const why = { rule, numbers: numbers() };
  return [task === undefined ? { kind: "pass", why } : { kind: "pass", task, why }];
}
