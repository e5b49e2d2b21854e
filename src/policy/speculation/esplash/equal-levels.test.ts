import { expect, test } from "vitest";
import { Line } from "../../../../test/golden/format.ts";
import { scriptOfRequests } from "../../../../test/support/requests.ts";
import { nextFloat, randomState } from "../../../base/random.ts";

test("a copy may run on all hosts of a level and of one that borrows its time", () => {
  const dice = randomState(1, "times");
  for (let draw = 0; draw < 20; draw++) {
    const takesS = 40 + nextFloat(dice) * 10;
    const { requests, script } = scriptOfRequests(({ where }) =>
      where.on === "only" ? `${where.nodes.length} hosts` : where.on,
    );
    // Level 2 has 8 containers of the 21 that may host a copy; no task has finished there.
    for (const command of [
      "cluster kinds=container",
      "discipline esplash speculation.levels=s*:1,f*:2",
      `nodes ${Array.from({ length: 14 }, (_, index) => `s${index}`).join(" ")} container=1`,
      `run j/map/* takes=${takesS}s`,
      "run j/map/13#0 takes=900s",
      "job j map:container*14",
      "until 1s",
      "nodes f0 f1 container=4",
      "until 80s",
    ]) {
      script.run(new Line(command));
    }
    expect(requests, `maps of ${takesS} s`).toEqual(["15 hosts"]);
  }
});
