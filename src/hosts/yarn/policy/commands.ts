import { written } from "../../../core/journal/fields.ts";
import type { RequestId } from "../../../model/ids.ts";
import type { Why } from "../../../model/why.ts";
import type { CopyLine, PolicyLine, WhereLine } from "./policy-line.ts";

/** A copy that the core asked for. */
interface Copy {
  readonly command: number;
  readonly request: RequestId;
  /** Whether the copy has its attempt, and so can no longer be withdrawn. */
  isDone: boolean;
}

/** The numbered commands; each copy among them belongs to a request of the core. */
export class Commands {
  #next = 1;
  readonly #byRequest = new Map<RequestId, Copy>();
  readonly #byCommand = new Map<number, Copy>();
  /** Copies that have an attempt which has not started yet. */
  readonly #byAttempt = new Map<string, Copy>();

  copy(request: RequestId, task: string, how: { where: WhereLine; why: Why }): CopyLine {
    const { where, why } = how;
    const copy = { command: this.#next++, request, isDone: false };
    this.#byRequest.set(request, copy);
    this.#byCommand.set(copy.command, copy);
    return { type: "copy", command: copy.command, task, where, why: forJSON(why) };
  }

  kill(attempt: string, why: Why): PolicyLine {
    return { type: "kill", command: this.#next++, attempt, why: forJSON(why) };
  }

  /** Withdraws a copy that the core no longer wants. Undefined if no command is needed. */
  withdraw(request: RequestId): PolicyLine | undefined {
    const copy = this.#byRequest.get(request);
    this.#byRequest.delete(request);
    if (copy === undefined || copy.isDone) return undefined;
    return { type: "withdraw", command: this.#next++, of: copy.command };
  }

  done(command: number, attempt: string | undefined): void {
    const copy = this.#byCommand.get(command);
    this.#byCommand.delete(command);
    if (copy === undefined || attempt === undefined) return;
    copy.isDone = true;
    this.#byAttempt.set(attempt, copy);
  }

  /** The refused request, if the core still waits for it. */
  refused(command: number): RequestId | undefined {
    const copy = this.#byCommand.get(command);
    this.#byCommand.delete(command);
    return this.#close(copy);
  }

  /** The request for which the attempt was made, if the core still waits for it; answered once. */
  requestOf(attempt: string): RequestId | undefined {
    const copy = this.#byAttempt.get(attempt);
    this.#byAttempt.delete(attempt);
    return this.#close(copy);
  }

  #close(copy: Copy | undefined): RequestId | undefined {
    return copy !== undefined && this.#byRequest.delete(copy.request) ? copy.request : undefined;
  }
}

/** JSON has no Infinity, so it is written as text, as in journals. */
function forJSON({ rule, numbers }: Why): Why {
  const pairs = Object.entries(numbers).map(([name, value]) => [
    name,
    typeof value === "number" ? written(value) : value,
  ]);
  return { rule, numbers: Object.fromEntries(pairs) };
}
