import { CAPABILITIES } from "../../../src/model/cluster.ts";
import type { Line } from "../format.ts";
import type { Automatic } from "../host.ts";
import type { Commands, Script } from "../script.ts";

/** The set-up, before the first event. */
export const clusterCommands: Commands = {
  /** cluster racks=r1,r2 kinds=map,reduce askAgain=3s attemptsMax=4 without=requests,prefer */
  cluster(script, line) {
    const missing = line.list("without") ?? [];
    const { setup } = script;
    script.changeSetup({
      slotKinds: line.list("kinds") ?? setup.slotKinds,
      racks: line.list("racks") ?? setup.racks,
      askAgainMs: line.duration("askAgain") ?? setup.askAgainMs,
      attemptsMax: line.number("attemptsMax") ?? setup.attemptsMax,
      statisticsEvery: line.duration("statisticsEvery") ?? setup.statisticsEvery,
      capabilities: CAPABILITIES.filter((capability) => !missing.includes(capability)),
    });
  },

  /** manual start kill offer wake: the script does these itself. */
  manual(script, line) {
    setAutomatic(script, line, false);
  },

  auto(script, line) {
    setAutomatic(script, line, true);
  },

  /** hide pass: actions of these kinds are not printed. */
  hide(script, line) {
    for (const kind of kindsIn(line)) script.hidden.add(kind);
  },

  show(script, line) {
    for (const kind of kindsIn(line)) script.hidden.delete(kind);
  },
};

const KINDS = [
  "launch",
  "request",
  "withdraw",
  "kill",
  "recompute",
  "prefer",
  "wake",
  "pass",
] as const;

const kindsIn = (line: Line) =>
  line.words.map(
    (word) => KINDS.find((kind) => kind === word) ?? line.fail(`expected ${KINDS.join(", ")}`),
  );

const AUTOMATIC: readonly (keyof Automatic)[] = ["start", "kill", "offer", "wake"];

function setAutomatic(script: Script, line: Line, value: boolean): void {
  for (const word of line.words) {
    const what = AUTOMATIC.find((one) => one === word);
    if (what === undefined) line.fail(`expected ${AUTOMATIC.join(", ")}`);
    else script.host.automatic[what] = value;
  }
}
