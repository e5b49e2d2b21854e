import { durationFrom, seconds } from "../format.ts";
import type { Commands } from "../script.ts";

/** A script that lasts longer has a timer that never stops. */
const STEPS_MAX = 100_000;

export const timeCommands: Commands = {
  /** advance 10s */
  advance(script, line) {
    script.host.until(script.host.now + durationFrom(line.word(0)));
  },

  /** until 60s */
  until(script, line) {
    script.host.until(durationFrom(line.word(0)));
  },

  /** finish: until nothing more happens by itself. */
  finish(script, line) {
    const { host } = script;
    let steps = 0;
    for (let next = host.nextAt; next !== undefined; next = host.nextAt) {
      host.until(next);
      steps += 1;
      if (steps > STEPS_MAX) line.fail("it never ends");
    }
    return [`quiet since ${seconds(host.lastAt)}`];
  },
};
