/**
 * Bundles some hundreds of files, each of which a starting process would have to find and read,
 * into a few: `rolldown --config tools/bundle.config.ts`, the last step of the build. Code that
 * several entries need is a chunk of its own, so that each module exists once.
 */
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import {
  type ChunkingContext,
  type CodeSplittingGroup,
  defineConfig,
  type Plugin,
  type RolldownOptions,
} from "rolldown";
import { bundleTypes } from "./bundle-types.ts";
import { notices } from "./notices/plugin.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SOURCE = join(ROOT, "src");
const BUNDLE = join(ROOT, "dist/bundle");

/** Files that are started, or imported from outside, by their names in the bundle. */
const ENTRIES: Readonly<Record<string, string>> = {
  cli: join(SOURCE, "cli/main.ts"),
  "reproduce-worker": join(SOURCE, "cli/reproduce/worker.ts"),
  "simulate-worker": join(SOURCE, "library/simulate/worker.ts"),
  page: join(SOURCE, "cli/page/main.ts"),
  "page-follow": join(SOURCE, "cli/page/follow.ts"),
  "page-whole": join(SOURCE, "cli/page/whole.ts"),
  node: join(SOURCE, "hosts/engine/node/main.ts"),
  "slot-thread": join(SOURCE, "hosts/engine/node/slot-thread.ts"),
  throttle: join(SOURCE, "hosts/engine/throttle/main.ts"),
  index: join(SOURCE, "index.ts"),
  job: join(SOURCE, "job/index.ts"),
  core: join(SOURCE, "core/index.ts"),
  journal: join(SOURCE, "core/journal/index.ts"),
  engine: join(SOURCE, "hosts/engine/index.ts"),
  sim: join(SOURCE, "hosts/sim/index.ts"),
  policies: join(SOURCE, "policy/index.ts"),
  testing: join(SOURCE, "testing/index.ts"),
  trace: join(SOURCE, "trace/index.ts"),
  "open-trace": join(SOURCE, "trace/open/open-trace.ts"),
  diagnose: join(SOURCE, "diagnose/index.ts"),
  whatif: join(SOURCE, "whatif/index.ts"),
};

/** The path at which tsc puts the output of a source. */
const compiled = (source: string): string =>
  source.replace(SOURCE, join(ROOT, "dist")).replace(/\.ts$/, ".js");

/** `import.meta.url` of a module means the path at which tsc puts the module. */
const places: Plugin = {
  name: "places",
  transform(code, id) {
    if (!id.startsWith(SOURCE) || !code.includes("import.meta.url")) return undefined;
    const pieces = code.split(/(new URL\("[^"]+", import\.meta\.url\))/);
    // No line moves, so the source map stays correct.
    return { code: pieces.map((piece) => placed(piece, compiled(id))).join(""), map: null };
  },
};

/** A URL of an entry's file becomes the URL of the entry in the bundle. */
function placed(piece: string, from: string): string {
  const named = /^new URL\("([^"]+)"/.exec(piece)?.[1];
  const path = named === undefined ? undefined : resolve(dirname(from), named);
  const entry = Object.entries(ENTRIES).find(([, source]) => compiled(source) === path);
  if (entry !== undefined) return `new URL("./${entry[0]}.js", import.meta.url)`;
  const own = JSON.stringify(relative(BUNDLE, from));
  return piece.replaceAll("import.meta.url", `new URL(${own}, import.meta.url).href`);
}

/** Types for those who import the package, found by the entries that package.json names. */
const types: Plugin = {
  name: "types",
  closeBundle() {
    const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const entries = Object.values<{ readonly types?: string }>(exports).flatMap(
      (entry) => /^\.\/dist\/types\/(.*)/.exec(entry.types ?? "")?.[1] ?? [],
    );
    const declarations = join(ROOT, "dist");
    bundleTypes(entries, { declarations, into: join(declarations, "types") });
  },
};

/**
 * The compiler that strips types is WebAssembly in 4 MB of JavaScript text, and parsing that would
 * take half of the time of a small job. The plugin puts it into a file of its own, compressed to a
 * quarter.
 */
const compiler: Plugin = {
  name: "compiler",
  transform(code, id) {
    if (!id.includes("@swc/wasm-typescript/")) return undefined;
    const [written, base64] = /Buffer\.from\('([^']+)', 'base64'\)/.exec(code) ?? [];
    if (written === undefined || base64 === undefined) return this.error("where is its code?");
    const packed = brotliCompressSync(Buffer.from(base64, "base64"), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
    });
    this.emitFile({ type: "asset", fileName: "typescript.wasm.br", source: packed });
    const path = `new URL("./typescript.wasm.br", import.meta.url)`;
    const read = `require("node:fs").readFileSync(${path})`;
    const bytes = `require("node:zlib").brotliDecompressSync(${read})`;
    const before = [
      `import { createRequire } from "node:module";`,
      "const require = createRequire(import.meta.url);",
      "const module = { exports: {} };",
    ];
    const after = "export const { transformSync } = module.exports;";
    return { code: `${before.join(" ")} ${code.replace(written, () => bytes)}${after}`, map: null };
  },
};

/** Part of the package: all notices. The kernels contain code of AssemblyScript's library. */
const allNotices = notices(join(ROOT, "THIRD-PARTY-NOTICES"), {
  before: "Broomwagon contains code of the following packages, each under its own licence.\n\n",
  also: ["assemblyscript"],
});

/** Part of each page, which carries the scripts for browsers. */
const pageNotices = notices(join(ROOT, "dist/page/notices.txt"), {
  before: "This page contains code of the following packages.\n\n",
});

/** Modules that are loaded on demand, or that are the user's own. */
const external = [/^node:/, "fzstd", "hyparquet", "hyparquet-compressors"];

/**
 * Each process parses comments and indentation before the code. Names stay, so stack traces can be
 * read.
 */
const SMALL = {
  comments: { jsdoc: false },
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  sourcemap: false,
} as const;

/** Nearly every entry uses these small modules: a chunk for each would be a dozen more files. */
const BASE = { name: "base", test: /\/src\/base\//, priority: 3 } as const;

/**
 * A module that several entries share is in a chunk of all modules that just these entries share,
 * and a starting process would read dozens of small chunks. The modules that a node loads as it
 * starts are one chunk instead, and so are the further modules of a task's thread.
 */
const STARTING = [
  startOf("node", join(SOURCE, "hosts/engine/node/main.ts"), 2),
  startOf("task", join(SOURCE, "hosts/engine/node/slot-thread.ts"), 1),
];

function startOf(name: string, entry: string, priority: number): CodeSplittingGroup {
  let loaded: ReadonlySet<string> | undefined;
  return {
    debugName: name,
    priority,
    name(id, graph) {
      loaded ??= loadedBy(entry, graph);
      return loaded.has(id) ? name : null;
    },
  };
}

/** The modules that an entry imports, and those that they import, but no dynamic imports. */
function loadedBy(entry: string, graph: ChunkingContext): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [entry];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const more = graph.getModuleInfo(id)?.importedIds.filter((one) => !found.has(one)) ?? [];
    for (const one of more) found.add(one);
    open.push(...more);
  }
  return found;
}

/** Code for other machines, which have no packages: everything in one file. */
const travelling = (name: string, source: string): RolldownOptions => ({
  input: { [name]: join(SOURCE, source) },
  platform: "node",
  external: external.filter((one) => one !== "fzstd"),
  plugins: [allNotices],
  logLevel: "warn",
  output: { dir: BUNDLE, entryFileNames: "[name].mjs", codeSplitting: false, ...SMALL },
});

/**
 * A page would carry texts that it never shows: what each column of a table means, which readers of
 * the code need; the sources of policies and what their parameters mean, which the terminal's
 * tables show. The page's form shows the parameters of speculation.
 */
const meanings: Plugin = {
  name: "meanings",
  transform(code, id) {
    if (!id.startsWith(SOURCE)) return undefined;
    // Names have no space, and what rows of the registry mean has.
    if (id.endsWith("/policy/registry.ts")) {
      const isProse = (text: string): boolean => text.includes(" ");
      return { code: code.replace(/"[^"]*"/g, (text) => (isProse(text) ? '""' : text)), map: null };
    }
    const [, seat] = /\/policy\/([a-z]+)\//.exec(id) ?? [];
    if (seat !== undefined) {
      const unread = seat === "speculation" ? "source" : "about|source";
      const field = new RegExp(`\\b(${unread}):\\s*"[^"]*"(\\s*\\+\\s*"[^"]*")*`, "g");
      return { code: code.replace(field, '$1: ""'), map: null };
    }
    if (!code.includes("base/rows.ts")) return undefined;
    return {
      code: code.replace(/\b(int32|code|float32|float64)\(\s*"[^"]*"/g, "$1(0"),
      map: null,
    };
  },
};

/** Scripts for browsers, each of one file: a page in a file, a page from a server, their worker. */
const forBrowsers = (name: string, source: string, plugins: Plugin[] = []): RolldownOptions => ({
  input: { [name]: join(SOURCE, source) },
  platform: "browser",
  logLevel: "warn",
  plugins: [meanings, allNotices, pageNotices, ...plugins],
  treeshake: { propertyReadSideEffects: false },
  transform: { jsx: { runtime: "automatic", importSource: "preact" } },
  output: {
    dir: join(ROOT, "dist/page"),
    entryFileNames: "[name].js",
    format: "iife",
    minify: true,
    comments: false,
  },
});

/** The script as pages carry it: compressed, to a third. */
const zipped: Plugin = {
  name: "zipped",
  generateBundle(_, bundle) {
    for (const [name, chunk] of Object.entries(bundle)) {
      if (chunk.type !== "chunk") continue;
      delete bundle[name];
      const source = gzipSync(chunk.code, { level: 9 });
      this.emitFile({ type: "asset", fileName: `${name}.gz`, source });
    }
  },
};

export default defineConfig([
  {
    input: ENTRIES,
    platform: "node",
    external,
    plugins: [places, compiler, types, allNotices],
    logLevel: "warn",
    output: {
      dir: BUNDLE,
      entryFileNames: "[name].js",
      chunkFileNames: "chunk-[name].js",
      codeSplitting: { groups: [BASE, ...STARTING] },
      ...SMALL,
    },
  },
  travelling("yarn-task", "hosts/yarn/task/main.ts"),
  travelling("yarn-policy", "hosts/yarn/policy/main.ts"),
  travelling("yarn-policies", "policy/index.ts"),
  forBrowsers("page", "page/main.tsx"),
  forBrowsers("live", "page/live.tsx", [zipped]),
  forBrowsers("worker", "page/worker/main.ts", [zipped]),
]);
