import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Option } from "commander";
import { aborted } from "../../library/aborted.ts";
import { PAGE_NODE_FLAGS } from "../../page-server/memory.ts";
import { checkPort } from "../../page-server/port.ts";
import type { Study } from "../../report/page/study.ts";
import { wholeNumber } from "../flags.ts";
import { line, type Shell } from "../shell.ts";

/** `--ui` or `--ui 8080`. */
export const uiOption = (): Option =>
  new Option(
    "--ui [port]",
    "serve a page of the run, on 127.0.0.1 alone, while it goes on (default: any port)",
  ).argParser(wholeNumber(0, 65_535));

/** What a run sends to the process of its page. */
export interface ToShow {
  readonly journal: string;
  /** Another run of the job, for comparison. */
  readonly against?: string;
  /** The journal does not record what the policies refused, so the page reconstructs it. */
  readonly refusals?: boolean;
}

/** What the process of a page is started with, as JSON in its arguments. `port` 0: any. */
export interface ToServe {
  readonly port: number;
  readonly show: ToShow;
  /** Files with policies of the user's own. */
  readonly policies: readonly string[];
}

/** The messages of the page's process. */
export type ToPage = ToShow | { readonly study: Study };

const HOUR_MS = 3_600_000;

/** The policies from the command's flags. */
export interface UiFlags {
  readonly ui?: true | number;
  readonly policies?: readonly string[];
}

/** The page of a command's run, if `--ui` asks for it. InputError if its port is taken. */
export async function pageBeside(
  { ui, policies = [] }: UiFlags,
  shell: Shell,
): Promise<PageBeside | undefined> {
  if (ui === undefined) return undefined;
  const port = ui === true ? 0 : ui;
  await checkPort(port, `--ui ${port}`);
  return new PageBeside(port, policies, shell);
}

const MAIN = fileURLToPath(new URL("./main.js", import.meta.url));

/** The page of a run, in a separate process: if the page dies, the run continues. */
export class PageBeside {
  readonly #shell: Shell;
  readonly #port: number;
  readonly #policies: readonly string[];
  #child: ChildProcess | undefined;

  /** `port` 0: any that is free. */
  constructor(port: number, policies: readonly string[], shell: Shell) {
    this.#port = port;
    this.#policies = policies;
    this.#shell = shell;
  }

  /** Replaces the run that the page shows. */
  show(run: ToShow): void {
    if (this.#child !== undefined) {
      if (this.#child.connected) this.#child.send(run);
      return;
    }
    const toServe: ToServe = { port: this.#port, show: run, policies: this.#policies };
    // The address is a message to the user, separate from the run's results.
    const child = fork(MAIN, [JSON.stringify(toServe)], {
      stdio: ["ignore", 2, "inherit", "ipc"],
      execArgv: [...PAGE_NODE_FLAGS],
      // Node would read all these certificates at its start, and a page opens no TLS connection.
      env: { ...process.env, NODE_EXTRA_CA_CERTS: undefined },
    });
    this.#child = child;
    // The run's end must not wait for its page.
    child.unref();
    child.channel?.unref();
    child.on("error", () => {});
  }

  /** What a study has found so far. */
  learn(study: Study): void {
    if (this.#child?.connected === true) this.#child.send({ study });
  }

  /** Resolves when the user presses Ctrl-C: until then the page can be read. */
  async hold(signal: AbortSignal): Promise<void> {
    line(this.#shell.err, "The page stays until Ctrl-C.");
    const clock = setInterval(() => {}, HOUR_MS);
    await aborted(signal);
    clearInterval(clock);
    this.end();
  }

  /** If Ctrl-C was pressed, it has reached the page too. */
  end(): void {
    if (this.#child?.connected === true) this.#child.disconnect();
  }
}
