import { Option } from "commander";
import { RUN_DEFAULTS, type RunOptions } from "../hosts/engine/index.ts";
import { wholeNumber } from "./flags.ts";

/** The flags for the racks of the engine's nodes, and for the placement of its input. */
export interface RackFlags {
  readonly racks: number;
  readonly rackMbps?: number;
  readonly replication: number;
}

export const racksOption = (): Option =>
  new Option("--racks <count>", "number of racks; nodes are assigned round robin")
    .argParser(wholeNumber(1, 256))
    .default(RUN_DEFAULTS.racks);

export const rackMbpsOption = (): Option =>
  new Option(
    "--rack-mbps <megabits>",
    "bandwidth of each rack's uplink and downlink in Mb/s (default: no limit)",
  ).argParser(wholeNumber(1));

export const replicationOption = (): Option =>
  new Option("--replication <count>", "replicas of each input split, for data locality")
    .argParser(wholeNumber(0, 256))
    .default(RUN_DEFAULTS.replication);

export const racksFrom = ({
  racks,
  rackMbps,
  replication,
}: RackFlags): Pick<RunOptions, "racks" | "rackMbps" | "replication"> => ({
  racks,
  replication,
  ...(rackMbps !== undefined && { rackMbps }),
});
