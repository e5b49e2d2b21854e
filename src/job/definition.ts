/**
 * How a thread finds a job again that a program has defined: the module whose evaluation defined
 * it, and its number among the jobs and flows of that module. No function is ever sent.
 */
export interface Definition {
  /** The module's absolute path. */
  readonly file: string;
  /** From 0, in the order of their definition. */
  readonly index: number;
  /** Whether a run of the module had ended before: a thread stops where that run began. */
  readonly isAfterRun: boolean;
}

/** Hears of each job and flow while a module is loaded again. */
export type DefinitionListener = (definition: Definition | undefined, what: object) => void;

/** In another copy of this package, too: the user's modules may import that one. */
const LISTENER = Symbol.for("broomwagon.definition-listener");

export function listenToDefinitions(listener: DefinitionListener): void {
  Reflect.set(globalThis, LISTENER, listener);
}

/** The job or flow, with its place; undefined if no module is being evaluated. */
export function withDefinition<T extends object>(
  what: T,
): T & { readonly definition: Definition | undefined } {
  const [file] = evaluatedModules();
  const defined = { ...what, definition: file === undefined ? undefined : nextOf(file) };
  const listener: DefinitionListener | undefined = Reflect.get(globalThis, LISTENER);
  listener?.(defined.definition, defined);
  return defined;
}

const counts = new Map<string, number>();

function nextOf(file: string): Definition {
  const index = counts.get(file) ?? 0;
  counts.set(file, index + 1);
  return { file, index, isAfterRun: ended.has(file) };
}

/** Modules that have a run behind them. */
const ended = new Set<string>();

/** Notes that a run has ended that these modules had begun. */
export function noteRunOf(modules: readonly string[]): void {
  for (const module of modules) ended.add(module);
}

/** The modules whose evaluation led to this call, the innermost first. */
export function evaluatedModules(): readonly string[] {
  const sites = callSites();
  const [own] = sites.map(nameOf);
  // Engines without V8's call sites do not tell which code is a module's own.
  const tells = sites.some(({ getEnclosingLineNumber }) => getEnclosingLineNumber !== undefined);
  const found = tells ? sites.filter(isModule) : sites.filter((site) => nameOf(site) !== own);
  return [...new Set(found.flatMap((site) => pathOf(nameOf(site))))];
}

/** The part of a call site of V8 that this file needs. */
interface CallSite {
  getFileName(): string | null | undefined;
  /** A copy that threads import has the name of the user's file as its source URL. */
  getScriptNameOrSourceURL?(): string | null | undefined;
  getFunctionName(): string | null;
  /** Where the function begins. */
  getEnclosingLineNumber?(): number;
  getEnclosingColumnNumber?(): number | null;
}

const nameOf = (site: CallSite): string =>
  site.getScriptNameOrSourceURL?.() ?? site.getFileName() ?? "";

/**
 * The code of a module is a function without a name that begins where the file does, or before its
 * first column where a test runner has wrapped it.
 */
const isModule = (site: CallSite): boolean =>
  !site.getFunctionName() &&
  site.getEnclosingLineNumber?.() === 1 &&
  (site.getEnclosingColumnNumber?.() ?? 1) === 1;

/** CommonJS modules have paths, ES modules URLs. */
function pathOf(name: string): readonly string[] {
  const path = name.startsWith("file://")
    ? decodeURIComponent(name.slice("file://".length).replace(/[?#].*$/, ""))
    : name;
  return /^(\/|[A-Za-z]:)/.test(path) ? [path] : [];
}

/** Deep enough for a chain of modules that require each other. */
const DEPTH = 200;

/** The calls under way, this one first; through awaits, too, where the engine keeps them. */
function callSites(): readonly CallSite[] {
  let sites: readonly CallSite[] = [];
  const before = new Map(
    ["prepareStackTrace", "stackTraceLimit"].map((key) => [
      key,
      Object.getOwnPropertyDescriptor(Error, key),
    ]),
  );
  Reflect.set(Error, "stackTraceLimit", DEPTH);
  Reflect.set(Error, "prepareStackTrace", (_: unknown, given: readonly CallSite[]) => {
    sites = given;
    return "";
  });
  // Engines make the trace when they are asked for it.
  const asked = new Error("where").stack;
  for (const [key, descriptor] of before) {
    if (descriptor === undefined) Reflect.deleteProperty(Error, key);
    else Object.defineProperty(Error, key, descriptor);
  }
  return asked === "" ? sites : [];
}
