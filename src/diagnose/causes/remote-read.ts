import { cell } from "../../base/rows.ts";
import type { CauseDeclaration, CauseWords } from "./declaration.ts";

export const remoteReadWords = {
  name: "remote-read",
  label: "remote read",
  help: "what attempts away from their data take more",
} as const satisfies CauseWords<string>;

export const remoteRead: CauseDeclaration<"remote-read"> = {
  name: "remote-read",
  part: {
    isExpected: true,
    of:
      ({ signals }) =>
      (i, fit) =>
        fit.farMs * cell(signals.isFar[i]),
  },
  couldTouch:
    ({ signals }) =>
    (i) =>
      signals.isFar[i] === 1,
  clause: () => "reading data from other nodes",
};
