import type { SlotCounts } from "../../../src/model/cluster.ts";
import { instant, nodeId, rackId, slotKind } from "../../../src/model/ids.ts";
import { durationFrom, type Line } from "../format.ts";
import type { HostNode } from "../host.ts";
import type { Commands, Script } from "../script.ts";

export const nodeCommands: Commands = {
  /** nodes n1 n2 rack=r1 map=2 reduce=1: the nodes join, and offer their slots. */
  nodes(script, line) {
    const rack = script.setup.racks.indexOf(line.option("rack") ?? script.setup.racks[0] ?? "");
    if (rack < 0) line.fail("no such rack");
    const slots = script.setup.slotKinds.map((kind) => line.number(kind) ?? 0);
    for (const name of line.words) join(script, name, rack, slots);
  },

  /** back n1: the node joins again, empty. */
  back(script, line) {
    const { host } = script;
    const before = host.node(line.word(0));
    const { rack } = host.joined.get(before.name) ?? line.fail("it never joined");
    join(script, before.name, rack, before.slots);
  },

  /** silent n1 [since=5s] */
  silent(script, line) {
    const { host } = script;
    const since = instant(durationOr(line, host.now));
    for (const name of line.words) {
      const node = host.node(name);
      node.state = "silent";
      host.feed({ kind: "node-silent", node: node.id, since });
    }
  },

  /** heard n1: the node reports attempts that have ended meanwhile, and offers its slots. */
  heard(script, line) {
    const { host } = script;
    const node = host.node(line.word(0));
    node.state = "up";
    host.feed({ kind: "node-heard", node: node.id });
    for (const attempt of [...host.attempts.values()]) {
      if (attempt.node === node && attempt.untold !== undefined) host.end(attempt, attempt.untold);
    }
    if (host.automatic.offer) host.offer(node);
  },

  /** left n1: the host knows that it is gone. */
  left(script, line) {
    const { host } = script;
    const node = host.node(line.word(0));
    node.state = "gone";
    host.empty(node);
    host.feed({ kind: "node-left", node: node.id });
  },

  /** offer n1 [map=1]: all free slots, or the given ones. */
  offer(script, line) {
    const { host, setup } = script;
    for (const name of line.words) {
      const node = host.node(name);
      const said = setup.slotKinds.map((kind) => line.number(kind));
      host.offer(node, said.every((one) => one === undefined) ? host.free(node) : counts(said));
    }
  },

  /** refuse ATTEMPT reason: the node does not start the attempt. */
  refuse(script, line) {
    const { host } = script;
    const attempt = host.attempt(line.word(0));
    const reason = line.words.slice(1).join(" ") || "no room";
    host.attempts.delete(attempt.id);
    host.feed({ kind: "launch-refused", attempt: attempt.id, reason });
  },

  /** links r1 up=100 down=100, in bytes per ms */
  links(script, line) {
    const rack = rackId(script.setup.racks.indexOf(line.word(0)));
    const [upBytesPerMs = 0, downBytesPerMs = 0] = [line.number("up"), line.number("down")];
    script.host.feed({ kind: "links-sampled", rack, upBytesPerMs, downBytesPerMs });
  },
};

function join(script: Script, name: string, rack: number, slots: readonly number[]): void {
  const { host } = script;
  const id = host.nodes.get(name)?.id ?? nodeId(host.nodes.size);
  const node: HostNode = { id, name, slots, state: "up" };
  const before = host.nodes.get(name);
  if (before !== undefined) host.empty(before);
  host.nodes.set(name, node);
  const joined = { id, name, rack: rackId(rack), slots: counts(slots) };
  host.joined.set(name, joined);
  host.feed({ kind: "node-joined", node: joined });
  if (host.automatic.offer) host.offer(node);
}

function durationOr(line: Line, otherwise: number): number {
  const since = line.option("since");
  return since === undefined ? otherwise : durationFrom(since);
}

const counts = (slots: readonly (number | undefined)[]): SlotCounts =>
  slots.map((count = 0, kind) => ({ kind: slotKind(kind), count }));
