import type { Json } from "../../base/json.ts";
import type { Action } from "../../model/action.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type { SchedulerOptions } from "../scheduler.ts";
import type { Setup } from "../state/setup.ts";
import { writeAction } from "./action-line.ts";
import { writeEvent } from "./event-line.ts";
import { describeSetup, writeSetup } from "./setup-line.ts";
import { Words } from "./words.ts";

/** Each method returns one line, without its end; hosts write the file. */
export interface JournalWriter {
  /** The first line: all that a replay needs besides the events. */
  header(): string;
  step(event: ClusterEvent, actions: readonly Action[]): string;
  /** A line of the host's own, which a replay copies. */
  host(data: Json): string;
}

export interface JournalOptions extends SchedulerOptions {
  /** Whether the lines include seals, made by a `Seal`. Default false. */
  readonly sealed?: boolean;
}

/** `options`: the scheduler's, which say whether refusals are among the actions. */
export function journalWriter(setup: Setup, options: JournalOptions = {}): JournalWriter {
  const words = new Words(setup);
  return {
    header() {
      const { explain = false, sealed = false } = options;
      return JSON.stringify(writeSetup(describeSetup(setup, explain), sealed));
    },
    step(event, actions) {
      const fields = writeEvent(event, words);
      let done = "";
      for (const action of actions) {
        done += `${done === "" ? "" : ","}${writeAction(action, words)}`;
      }
      words.names.settle(event, actions);
      return done === "" ? `{${fields}}` : `{${fields},"actions":[${done}]}`;
    },
    host(data) {
      return JSON.stringify({ host: data });
    },
  };
}
