import { type Command, Option } from "commander";
import { RUN_DEFAULTS, type RunOptions } from "../hosts/engine/index.ts";
import { wholeNumber } from "./flags.ts";

/** The flags for the racks of the engine's nodes, and for the placement of its input. */
export interface RackFlags {
  readonly racks: number;
  readonly rackMbps?: number;
  readonly replication: number;
}

/** `--slots`, and the flags for racks. */
export const withSlotsAndRacks = (command: Command): Command =>
  command
    .option(
      "--slots <count>",
      "map slots per node, and reduce slots per node",
      wholeNumber(1, 256),
      RUN_DEFAULTS.slots,
    )
    .addOption(
      new Option("--racks <count>", "number of racks; nodes are assigned round robin")
        .argParser(wholeNumber(1, 256))
        .default(RUN_DEFAULTS.racks),
    )
    .addOption(
      new Option(
        "--rack-mbps <megabits>",
        "bandwidth of each rack's uplink and downlink in Mb/s (default: no limit)",
      ).argParser(wholeNumber(1)),
    )
    .addOption(
      new Option("--replication <count>", "replicas of each input split, for data locality")
        .argParser(wholeNumber(0, 256))
        .default(RUN_DEFAULTS.replication),
    );

export const racksFrom = ({
  racks,
  rackMbps,
  replication,
}: RackFlags): Pick<RunOptions, "racks" | "rackMbps" | "replication"> => ({
  racks,
  replication,
  ...(rackMbps !== undefined && { rackMbps }),
});
