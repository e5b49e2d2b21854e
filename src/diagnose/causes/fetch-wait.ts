import { cell } from "../../base/rows.ts";
import { aboveUsual } from "../expect/signals.ts";
import type { CauseDeclaration, CauseWords } from "./declaration.ts";

export const fetchWaitWords = {
  name: "fetch-wait",
  label: "fetch wait",
  help: "measured, above the phase's median",
} as const satisfies CauseWords<string>;

export const fetchWait: CauseDeclaration<"fetch-wait"> = {
  name: "fetch-wait",
  part: {
    isExpected: false,
    of:
      ({ signals }) =>
      (i, fit, factor) =>
        aboveUsual(cell(signals.fetchMs[i]), fit.fetchMs, factor),
  },
  clause: () => "waiting for shuffled data",
};
