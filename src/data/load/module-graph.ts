import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { basename, dirname, extname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Import, init, parse } from "es-module-lexer";
import { InputError, type InputErrorCode } from "../../base/input-error.ts";
import { packageName, packageRoot, resolvePackage } from "./resolve-package.ts";

/** The kind of a user's file, which decides what it may import from Broomwagon, wherever it is. */
export interface FileKind {
  readonly what: "job file" | "policies file";
  readonly module: "broomwagon/job" | "broomwagon/policies";
  /** The code of the errors. */
  readonly code: InputErrorCode;
}

export const JOB_KIND: FileKind = { what: "job file", module: "broomwagon/job", code: "bad-job" };
export const POLICIES_KIND: FileKind = {
  what: "policies file",
  module: "broomwagon/policies",
  code: "bad-policies",
};

/** An imported package, and where it is installed. */
export interface UsedPackage {
  readonly name: string;
  readonly root: string;
}

interface Module {
  /** The copy's absolute path. */
  readonly to: string;
  code: string;
}

/** A file and all its relative imports, as JavaScript that needs nothing around it. */
export class ModuleGraph {
  readonly #into: string;
  readonly #travels: boolean;
  readonly #kind: FileKind;
  readonly #modules = new Map<string, Module>();
  readonly #packages = new Map<string, UsedPackage>();

  /**
   * `travels`: the copies go to another machine, where they import each other by file name and
   * packages by package name.
   */
  constructor(into: string, { travels = false, kind = JOB_KIND } = {}) {
    this.#into = into;
    this.#travels = travels;
    this.#kind = kind;
  }

  modules(): Iterable<Module> {
    return this.#modules.values();
  }

  /** The packages that the modules import. */
  packages(): Iterable<UsedPackage> {
    return this.#packages.values();
  }

  /** The path at which the file can be imported: of its copy, or its own if it is CommonJS. */
  async entry(file: string): Promise<string> {
    // A file that cannot be parsed is refused with its line as it is added.
    const isEntered = isTypeScript(file) || (await isModule(file).catch(() => true));
    if (isEntered) return this.#add(file);
    if (this.#travels) throw this.#unsent(file);
    return file;
  }

  /** Adds the file, unless it was added before, and its imports; returns the path of its copy. */
  async #add(file: string): Promise<string> {
    const known = this.#modules.get(file);
    if (known !== undefined) return known.to;
    const name = basename(file, extname(file));
    const module = { to: join(this.#into, `${this.#modules.size}-${name}.mjs`), code: "" };
    this.#modules.set(file, module);
    const source = readFileSync(file, "utf8")
      .replace(/^\ufeff/, "")
      .replace(/^#!/, "//");
    // JavaScript passes through the compiler only for the place of a mistake, which Node's import
    // does not report.
    const stripped = await stripTypes(source, file, this.#kind.code);
    const code = isTypeScript(file) ? stripped : source;
    // The copy has the original's name, so that stack traces show the user's file.
    module.code = `${await this.#rewrite(code, file)}\n//# sourceURL=${sourceName(file)}\n`;
    return module.to;
  }

  async #rewrite(code: string, file: string): Promise<string> {
    let rewritten = "";
    let at = 0;
    for (const one of await importsOf(code, file, this.#kind.code)) {
      const { start, end, text } = await this.#replacement(one, code, file);
      rewritten += code.slice(at, start) + text;
      at = end;
    }
    return rewritten + code.slice(at);
  }

  async #replacement(one: Import, code: string, file: string) {
    const { start, end } = one;
    if (one.type === "import-meta") return importMeta(code, file, one);
    // A specifier that is known only at run time stays as it is.
    if (one.specifier === undefined || (one.type === "dynamic" && one.glob)) {
      return { start, end: start, text: "" };
    }
    const line = code.slice(0, start).split("\n").length;
    const url = await this.#resolve(one.specifier, file, `${file}:${line}`);
    // The range of a dynamic import includes the quotes; that of a static one does not.
    const quoted = url.replaceAll("'", "%27");
    return { start, end, text: one.type === "dynamic" ? JSON.stringify(quoted) : quoted };
  }

  /** The specifier by which the copy finds what the original imports. */
  async #resolve(specifier: string, file: string, place: string): Promise<string> {
    const { module, what, code } = this.#kind;
    if (specifier === module) return this.#travels ? specifier : runningModule(module);
    if (specifier === "broomwagon" && !this.#travels) return runningModule(specifier);
    if (this.#travels && packageName(specifier) === "broomwagon") {
      const expected = `expected ${module}: other machines have only this part`;
      throw new InputError(code, place, `${specifier}: ${expected}`);
    }
    if (isBuiltin(specifier) || /^(data|node):/.test(specifier)) return specifier;
    if (/^(\.{0,2}\/|file:)/.test(specifier)) {
      const path = specifier.startsWith("file:")
        ? fileURLToPath(specifier)
        : resolve(dirname(file), specifier);
      const found = findModule(path);
      if (found !== undefined) return this.#urlOf(found, place);
    } else {
      const found = resolvePackage({ specifier, from: file });
      if (found !== undefined && !this.#travels) return pathToFileURL(found).href;
      if (found !== undefined) return this.#packageOf(specifier, found);
    }
    const isPackage = !/^(\.{0,2}\/|file:)/.test(specifier);
    const cure = isPackage ? `: npm install ${packageName(specifier)} beside the ${what}` : "";
    throw new InputError(code, place, `cannot find ${JSON.stringify(specifier)}${cure}`);
  }

  /** Code is copied; data, CommonJS and binaries are used in place. */
  async #urlOf(file: string, place: string): Promise<string> {
    const isCopied = /\.m?[jt]s$/.test(file) && (isTypeScript(file) || (await isModule(file)));
    if (!this.#travels) return pathToFileURL(isCopied ? await this.#add(file) : file).href;
    if (isCopied) return `./${basename(await this.#add(file))}`;
    if (file.endsWith(".json")) return `./${basename(this.#addData(file))}`;
    throw this.#unsent(file, place);
  }

  #unsent(file: string, place = file): InputError {
    const expected = "expected an ES module or JSON: nothing else is sent to other machines";
    return new InputError(this.#kind.code, place, `${basename(file)}: ${expected}`);
  }

  #addData(file: string): string {
    const known = this.#modules.get(file);
    const to = known?.to ?? join(this.#into, `${this.#modules.size}-${basename(file)}`);
    this.#modules.set(file, { to, code: readFileSync(file, "utf8") });
    return to;
  }

  /** A package is sent as a whole. */
  #packageOf(specifier: string, file: string): string {
    const name = packageName(specifier);
    this.#packages.set(name, { name, root: packageRoot(name, file) });
    return specifier;
  }
}

/** The module of the running version. */
const runningModule = (name: string): string =>
  pathToFileURL(createRequire(import.meta.url).resolve(name)).href;

/** V8 accepts no name with blanks or quotes; a URL has neither. */
function sourceName(file: string): string {
  return /[\s"']/.test(file) ? pathToFileURL(file).href.replaceAll("'", "%27") : file;
}

const isTypeScript = (file: string): boolean => /\.m?ts$/.test(file);

async function isModule(file: string): Promise<boolean> {
  await init;
  if (/\.c[jt]s$/.test(file)) return false;
  if (file.endsWith(".mjs")) return true;
  const [, , , hasModuleSyntax] = parse(readFileSync(file, "utf8"), file);
  return hasModuleSyntax;
}

async function importsOf(
  code: string,
  file: string,
  error: InputErrorCode,
): Promise<readonly Import[]> {
  await init;
  try {
    const [imports] = parse(code, file);
    return [...imports].sort((x, y) => x.start - y.start);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const line = /:(\d+):\d+$/.exec(message)?.[1] ?? "1";
    throw new InputError(error, `${file}:${line}`, "expected JavaScript");
  }
}

/** `import.meta` of the copy names the place of the original. */
function importMeta(code: string, file: string, { start, end }: Import) {
  const [whole = "", property] = /^\s*\.\s*(url|filename|dirname)\b/.exec(code.slice(end)) ?? [];
  const values = new Map([
    ["url", pathToFileURL(file).href],
    ["filename", file],
    ["dirname", dirname(file)],
  ]);
  const value = property === undefined ? undefined : values.get(property);
  if (value === undefined) return { start: end, end, text: "" };
  return { start, end: end + whole.length, text: JSON.stringify(value) };
}

/** The path itself; or the TypeScript file that `./x.js` stands for; or `./x` with an extension. */
function findModule(path: string): string | undefined {
  const stem = path.replace(/\.(m?)js$/, ".$1ts");
  const candidates = [path, stem, `${path}.ts`, `${path}.mts`, `${path}.js`, `${path}.mjs`];
  const found = candidates.find((one) => existsSync(one) && extname(one) !== "");
  return found === undefined ? undefined : realpathSync(found);
}

/**
 * Replaces the types of TypeScript by blanks, so that lines and columns stay. The compiler is the
 * same on every Node: the one that Node itself contains from version 22.6 on.
 */
async function stripTypes(source: string, file: string, code: InputErrorCode): Promise<string> {
  // Only masters need the compiler, and not all of them.
  const { transformSync } = await import("@swc/wasm-typescript");
  try {
    return transformSync(source, { mode: "strip-only", filename: file }).code;
  } catch (error) {
    throw refusal(error, file, code);
  }
}

/**
 * The compiler throws a plain object with the place of a mistake; any other error is its own
 * failure.
 */
function refusal(error: unknown, file: string, code: InputErrorCode): unknown {
  if (typeof error !== "object" || error === null) return error;
  if (!("message" in error && "startLine" in error)) return error;
  return new InputError(code, `${file}:${error.startLine}`, String(error.message));
}
