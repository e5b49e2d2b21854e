import { expect, test } from "vitest";
import { Line } from "../../test/golden/format.ts";
import { Script } from "../../test/golden/script.ts";
import { attemptId, nodeId, taskId } from "./ids.ts";
import { AttemptList, Shortlist } from "./shortlist.ts";
import type { View } from "./view.ts";

const [N1, N2] = [nodeId(0), nodeId(1)];

/** A list of j/map/0#0, which runs on n1 alone after these lines, and the world's view. */
function listedAfter(...lines: readonly string[]): readonly [Shortlist, View] {
  let view: View | undefined;
  const script = new Script((_, scheduler) => {
    view = scheduler.view;
    return () => undefined;
  });
  for (const line of [...lines, "nodes n1 n2 map=1", "job j map*1", "until 20s"]) {
    script.run(new Line(line));
  }
  if (view === undefined) throw new Error("nothing was scheduled");
  const list = new AttemptList();
  list.add({ id: attemptId(0), task: taskId(0) });
  return [new Shortlist(list), view];
}

test("an attempt of the list is copied while it runs, but not beside itself", () => {
  const [list, view] = listedAfter();
  expect(list.firstFor(view, N1)).toBeUndefined();
  expect(list.firstFor(view, N2)?.id).toBe(0);
});

test("a dying attempt of the list is not copied", () => {
  const [list, view] = listedAfter("ask 10s kill j/map/0#0 restart", "manual kill");
  expect(list.firstFor(view, N2)).toBeUndefined();
});
