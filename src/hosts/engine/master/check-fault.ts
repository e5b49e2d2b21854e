import { existsSync } from "node:fs";
import { never } from "../../../base/assert.ts";
import type { Chance } from "../../../base/chance.ts";
import { InputError } from "../../../base/input-error.ts";
import { type Fault, namesMeant, type RackFault } from "../../../model/fault.ts";
import { tellsProcessTime } from "../throttle/process-time.ts";

/** The parts of the cluster that faults can hit. */
export interface FaultTargets {
  readonly nodes: readonly string[];
  readonly racks: readonly string[];
  /** Whether the links between racks have a limit, so that others can take a share of them. */
  readonly hasLimitedLinks: boolean;
}

/** Tells the user what the fault should have been; never returns. */
export type Fail = (expected: string) => never;

/** InputError for a fault that this cluster on this machine cannot have. */
export function checkFaults(faults: readonly Fault[], targets: FaultTargets): void {
  for (const [index, fault] of faults.entries()) {
    checkFault(fault, targets, (expected) => {
      throw new InputError("bad-flag", `fault ${index + 1} (${fault.kind})`, expected);
    });
  }
}

export function checkFault(fault: Fault, targets: FaultTargets, fail: Fail): void {
  checkMachine(fault, fail);
  if (fault.kind === "congestion") {
    checkRack(fault, targets, fail);
    return;
  }
  const { node, pick = 1 } = fault;
  const meant = namesMeant(node, targets.nodes);
  if (meant.length === 0) fail(`expected a node ${range(targets.nodes)}, found ${node}`);
  if (pick > meant.length) fail(`expected "pick" of at most ${meant.length}, found ${pick}`);
  checkNumbers(fault, fail);
}

/** Checks that this machine can carry out the fault. */
function checkMachine(fault: Fault, fail: Fail): void {
  switch (fault.kind) {
    case "load":
      fail(
        "only the simulator does this: the engine's nodes share one machine, where other " +
          "programs would slow them all; slow and stress are for one node",
      );
      break;
    case "slow":
    case "stress":
      if (!tellsProcessTime()) fail("slowing a node needs /proc, to see the CPU time that it gets");
      break;
    case "fill-disk":
      if (!existsSync("/dev/full")) fail("filling a disk needs /dev/full, to write to");
      break;
    case "pause":
    case "kill":
    case "lose-outputs":
    case "evict":
    case "congestion":
      break;
    default:
      never(fault);
  }
}

function checkRack(fault: RackFault, { racks, hasLimitedLinks }: FaultTargets, fail: Fail): void {
  if (!hasLimitedLinks) {
    fail("expected several racks whose links have a limit: --racks and --rack-mbps");
  }
  if (namesMeant(fault.rack, racks).length === 0) {
    fail(`expected a rack ${range(racks)}, found ${fault.rack}`);
  }
  checkNumbers(fault, fail);
}

const range = (names: readonly string[]): string => `from ${names[0]} to ${names.at(-1)}`;

/** The fault file's reader has already checked the numbers that are drawn at random. */
function checkNumbers(fault: Fault, fail: Fail): void {
  const { at } = fault;
  if (isWrong(at, (ms) => ms >= 0)) fail(`expected a time "at" of 0 ms or more, found ${at}`);
  switch (fault.kind) {
    case "stress":
      if (!(fault.onMs > 0 && fault.offMs > 0)) {
        fail(`expected "onMs" and "offMs" above 0, found ${fault.onMs} and ${fault.offMs}`);
      }
      checkFactor(fault.factor, fail);
      break;
    case "slow":
      checkFactor(fault.factor, fail);
      break;
    case "pause":
    case "fill-disk": {
      const { forMs } = fault;
      if (isWrong(forMs, (ms) => ms > 0)) fail(`expected "forMs" above 0, found ${forMs}`);
      break;
    }
    case "congestion":
    case "lose-outputs":
    case "evict": {
      const { share } = fault;
      if (share !== undefined && isWrong(share, (part) => part >= 0 && part <= 1)) {
        fail(`expected a share from 0 to 1, found ${share}`);
      }
      break;
    }
    case "kill":
    case "load":
      break;
    default:
      never(fault);
  }
}

function checkFactor(factor: Chance, fail: Fail): void {
  if (isWrong(factor, (times) => times >= 1)) {
    fail(`expected a factor of 1 or more, found ${factor}`);
  }
}

const isWrong = (chance: Chance, isRight: (value: number) => boolean): boolean =>
  typeof chance === "number" && !isRight(chance);
