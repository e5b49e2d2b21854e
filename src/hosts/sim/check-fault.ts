import { never } from "../../base/assert.ts";
import type { Place } from "../../base/shape.ts";
import { type Fault, namesMeant } from "../../model/fault.ts";
import { nodeNames, some } from "./node-names.ts";
import type { ClusterSpec } from "./scenario.ts";

/** InputError unless the fault's nodes or racks exist and the fault is possible there. */
export function checkFault(fault: Fault, cluster: ClusterSpec, place: Place): void {
  if (fault.kind === "congestion") {
    checkNames(fault.rack, cluster.racks, place.key("rack"));
    if (!hasLimitedLinks(cluster)) {
      place.fail(
        "expected racks whose links have a limit: rackUpBytesPerMs and rackDownBytesPerMs, " +
          "or oversubscription",
      );
    }
    return;
  }
  const names = nodeNames(cluster.nodes);
  const meant = checkNames(fault.node, names, place.key("node"));
  if (fault.pick !== undefined && fault.pick > meant.length) {
    place.key("pick").refuse(`at most ${meant.length}, the nodes meant`, fault.pick);
  }
  switch (fault.kind) {
    case "load":
      checkHosts(meant, cluster, place);
      break;
    case "slow":
    case "stress":
    case "pause":
    case "kill":
    case "lose-outputs":
    case "evict":
    case "fill-disk":
      break;
    default:
      never(fault);
  }
}

function checkHosts(meant: readonly string[], cluster: ClusterSpec, place: Place): void {
  const hostless = cluster.nodes.find(
    (group) => group.host === undefined && nodeNames([group]).some((name) => meant.includes(name)),
  );
  if (hostless === undefined) return;
  place.fail(
    `expected nodes with a host, whose cores and disk the load takes: ${hostless.name} has none; ` +
      "a slow-down or stress has a factor instead",
  );
}

function checkNames(pattern: string, names: readonly string[], place: Place): readonly string[] {
  const meant = namesMeant(pattern, names);
  if (meant.length === 0) place.refuse(`one of ${some(names)}`, pattern);
  return meant;
}

const hasLimitedLinks = (cluster: ClusterSpec): boolean =>
  cluster.oversubscription !== undefined ||
  cluster.rackUpBytesPerMs < Number.POSITIVE_INFINITY ||
  cluster.rackDownBytesPerMs < Number.POSITIVE_INFINITY;
