import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { PRIORITIES } from "../model/job.ts";
import { REGISTRY } from "../policy/registry.ts";

/**
 * Adds `completion SHELL`, which prints a script for the shell, and the hidden `complete`, which
 * that script calls with the words typed so far. Both read the commands of the program.
 */
export function addCompletion(program: Command): void {
  const { commands } = tab(program, { completionCommandName: "completion" });
  program.commands
    .find((each) => each.name() === "completion")
    ?.description("print a completion script for bash, zsh or fish");
  const disciplines = REGISTRY.disciplines.map(({ name, meaning }) => [name, meaning] as const);
  for (const { options, value } of commands.values()) {
    const discipline = options.get("discipline");
    if (discipline !== undefined) discipline.handler = offers(disciplines);
    const priority = options.get("priority");
    if (priority !== undefined) priority.handler = offers(PRIORITIES.map((name) => [name, ""]));
    if (value !== "policies") continue;
    commands.get(value)?.argument("name", offers(disciplines));
  }
}

type Offer = (value: string, description: string) => void;

const offers =
  (values: readonly (readonly [value: string, description: string])[]) =>
  (offer: Offer): void => {
    for (const [value, description] of values) offer(value, description);
  };
