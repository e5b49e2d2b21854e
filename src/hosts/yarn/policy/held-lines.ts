import { type JobPolicies, jobPolicies, NO_OWN_POLICIES, policiesNamedIn } from "./job-policies.ts";

/**
 * Passes lines on in their order. The line that names the user's policies, and all lines behind
 * it, wait until these policies are imported.
 */
export class HeldLines {
  readonly #pass: (line: string) => void;
  #held: string[] | undefined;
  #policies: JobPolicies = NO_OWN_POLICIES;
  /** Called once the lines that wait have been passed on. */
  #whenPassed: () => void = () => {};

  constructor(pass: (line: string) => void) {
    this.#pass = pass;
  }

  /** The policies of the job, once its first line has been passed on. */
  get policies(): JobPolicies {
    return this.#policies;
  }

  take(line: string): void {
    if (this.#held !== undefined) {
      this.#held.push(line);
      return;
    }
    const directory = policiesNamedIn(line);
    if (directory === undefined) {
      this.#pass(line);
      return;
    }
    this.#held = [line];
    void jobPolicies(directory).then((policies) => {
      this.#policies = policies;
      const held = this.#held ?? [];
      this.#held = undefined;
      for (const each of held) this.#pass(each);
      this.#whenPassed();
    });
  }

  /** No line follows: calls back when all lines have been passed on. */
  end(then: () => void): void {
    if (this.#held === undefined) then();
    else this.#whenPassed = then;
  }
}
