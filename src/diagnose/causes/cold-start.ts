import { cell } from "../../base/rows.ts";
import { aboveUsual } from "../expect/signals.ts";
import type { CauseDeclaration, CauseWords } from "./declaration.ts";

export const coldStartWords = {
  name: "cold-start",
  label: "cold start",
  help: "deserialisation above the median, and first attempts of an executor",
} as const satisfies CauseWords<string>;

export const coldStart: CauseDeclaration<"cold-start"> = {
  name: "cold-start",
  part: {
    isExpected: true,
    of:
      ({ signals }) =>
      (i, fit, factor) =>
        aboveUsual(cell(signals.deserializeMs[i]), fit.deserializeMs, factor) +
        fit.firstMs * cell(signals.isFirst[i]),
  },
  isOfStart: true,
  couldTouch:
    ({ signals }) =>
    (i) =>
      signals.isFirst[i] === 1,
  clause: () => "warming up executors",
};
