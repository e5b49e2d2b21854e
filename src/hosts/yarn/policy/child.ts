import { closeSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Json } from "../../../base/json.ts";
import type { AmLine, HelloLine } from "./am-line.ts";
import { askNodes } from "./ask-nodes.ts";
import { DECISIONS_FILE } from "./decisions-file.ts";
import type { FactsLine } from "./facts.ts";
import type { PolicyOutput } from "./followed-job.ts";
import { type JobPolicies, NO_OWN_POLICIES } from "./job-policies.ts";
import { planNamesIn } from "./plan-names.ts";
import type { PolicyLine } from "./policy-line.ts";
import { readAmLine } from "./read-am-line.ts";
import { PolicySession } from "./session.ts";

/** The journal's default size limit; `broomwagon.journal.max-mb` sets another. */
const JOURNAL_MB_MAX = 1_024;
const MB_BYTES = 1_024 * 1_024;

/** The number of ticks, of a second each, between two requests to the ResourceManager. */
const ASK_EVERY_TICKS = 60;

/** The process in the ApplicationMaster: a session, its files, and the cluster's facts. */
export class PolicyChild {
  readonly #session: PolicySession;
  readonly #answer: (line: string) => void;
  readonly #complain: (text: string) => void;
  readonly #stop = new AbortController();
  #hello: HelloLine | undefined;
  #journal: TextFile | undefined;
  #journalBytesMax = JOURNAL_MB_MAX * MB_BYTES;
  #decisions: TextFile | undefined;
  #lines = 0;
  #at = 0;
  /** The ResourceManager's last answer. */
  #facts = "";
  #isAsking = false;

  /** `answer` takes lines for the AM without their line ends, `complain` lines for people. */
  constructor(
    answer: (line: string) => void,
    complain: (text: string) => void,
    policies: JobPolicies = NO_OWN_POLICIES,
  ) {
    this.#answer = answer;
    this.#complain = complain;
    const output: PolicyOutput = {
      say: (line) => this.#say(line),
      journal: (line) => this.#journal?.add(line),
    };
    this.#session = new PolicySession(output, policies);
  }

  /** Handles a line of the AM. InputError if it is not one. */
  take(text: string): void {
    this.#lines++;
    const json: Json = JSON.parse(text);
    const line = readAmLine(json, `line ${this.#lines} of the ApplicationMaster`);
    if (line === undefined) return;
    this.#at = line.at;
    if (line.type === "hello") this.#open(line);
    if (line.type === "done" || line.type === "refused") this.#show(line);
    this.#give(line.type === "hello" ? this.#named(line) : line);
    if (line.type === "tick") {
      this.#journal?.flush();
      if (line.tick % ASK_EVERY_TICKS === 0) this.#ask();
    }
  }

  /** Writes all lines to disk and ends. */
  end(): void {
    this.#stop.abort();
    this.#session.end();
    this.#journal?.close();
    this.#decisions?.close();
  }

  /**
   * Adds the client's names of tasks. No decision depends on them, so the job goes on without them.
   */
  #named(hello: HelloLine): HelloLine {
    const { names: file } = hello.settings;
    if (file === undefined) return hello;
    try {
      return { ...hello, names: planNamesIn(file) };
    } catch (error) {
      this.#complain(`${file}: the journal has Hadoop's names alone: ${error}`);
      return hello;
    }
  }

  #give(line: AmLine | FactsLine): void {
    this.#session.take(line);
    if ((this.#journal?.bytes ?? 0) <= this.#journalBytesMax) return;
    // The journal ends between two lines, so the written part can be replayed.
    this.#journal?.close();
    this.#journal = undefined;
    const limit = `${this.#journalBytesMax / MB_BYTES} MB, as broomwagon.journal.max-mb says`;
    const text = `the journal has become ${limit}: it ends here, the policies go on`;
    this.#say({ type: "log", level: "warn", text });
  }

  #open(hello: HelloLine): void {
    this.#hello = hello;
    this.#journal = new TextFile(hello.journal, this.#complain);
    const mb = Number(hello.settings["journal.max-mb"] ?? JOURNAL_MB_MAX);
    this.#journalBytesMax = (mb >= 0 ? mb : JOURNAL_MB_MAX) * MB_BYTES;
    const beside = join(dirname(hello.journal), DECISIONS_FILE);
    this.#decisions = new TextFile(beside, this.#complain);
    this.#ask();
  }

  #ask(): void {
    if (this.#hello === undefined || this.#isAsking) return;
    this.#isAsking = true;
    const { user, conf } = this.#hello;
    askNodes(conf.resourceManagers, { user, signal: this.#stop.signal }).then((facts) => {
      this.#isAsking = false;
      if (this.#stop.signal.aborted) return;
      if (facts.error !== undefined) this.#complain(`the cluster's nodes: ${facts.error}`);
      const text = JSON.stringify(facts);
      // The session waits for the first answer, whatever the answer is.
      if (text === this.#facts || (facts.error !== undefined && this.#facts !== "")) return;
      this.#facts = text;
      this.#give(facts);
    });
  }

  #say(line: PolicyLine): void {
    this.#answer(JSON.stringify(line));
    if (line.type !== "tock") this.#show(line);
  }

  #show(line: PolicyLine | AmLine): void {
    this.#decisions?.add(JSON.stringify({ ...line, at: this.#at }));
    this.#decisions?.flush();
  }
}

/**
 * A file of lines, written by `flush` or when many lines wait; a full disk does not stop the job.
 */
class TextFile {
  readonly #complain: (text: string) => void;
  readonly #path: string;
  #file: number | undefined;
  #lines: string[] = [];
  #isBroken = false;
  #bytes = 0;

  constructor(path: string, complain: (text: string) => void) {
    this.#path = path;
    this.#complain = complain;
  }

  /** The number of bytes written. */
  get bytes(): number {
    return this.#bytes;
  }

  add(line: string): void {
    if (!this.#isBroken) this.#lines.push(line);
    if (this.#lines.length >= LINES_MAX) this.flush();
  }

  flush(): void {
    if (this.#lines.length === 0 || this.#isBroken) return;
    const bytes = Buffer.from(`${this.#lines.join("\n")}\n`);
    this.#lines = [];
    try {
      this.#file ??= openSync(this.#path, "a");
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
      this.#bytes += bytes.length;
    } catch (error) {
      this.#isBroken = true;
      this.#complain(`${this.#path}: nothing more is written to it: ${error}`);
    }
  }

  close(): void {
    this.flush();
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#isBroken = true;
  }
}

const LINES_MAX = 200;
