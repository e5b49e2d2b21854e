import { posix } from "node:path";
import {
  type Check,
  type Finding,
  isTest,
  isTypeScript,
  lineAt,
  type SourceFile,
  textOf,
  walk,
} from "./source.ts";

/**
 * A part of the source, and what it may import beside itself. ARCHITECTURE.md explains the table.
 */
interface Zone {
  readonly name: string;
  readonly paths: RegExp;
  readonly may: readonly string[];
  /** Packages; `node:` stands for all of Node's own modules. */
  readonly packages: readonly string[];
}

const POLICY_TYPES = ["base", "model", "policy/policy"];
/** The rooms of the core: each may import those before it. */
const CORE_ROOMS = ["statistics", "state", "loop", "validate"];
const ANYTHING = ["base", "model", "policy/policy", "policy/registry", "core", "core/journal"];

/** A file's zone is the first whose paths match. */
export const ZONES: readonly Zone[] = [
  { name: "base", paths: /^src\/base\//, may: [], packages: [] },
  { name: "model", paths: /^src\/model\//, may: ["base"], packages: [] },
  {
    name: "policy/policy",
    paths: /^src\/policy\/(policy|refuse|params|shortcuts)\.ts$/,
    may: ["base", "model"],
    packages: [],
  },
  {
    name: "policy/registry",
    paths: /^src\/policy\/[^/]+\.ts$/,
    may: [...POLICY_TYPES, "policy/shared", "policy"],
    packages: [],
  },
  { name: "policy/shared", paths: /^src\/policy\/shared\//, may: POLICY_TYPES, packages: [] },
  {
    name: "policy",
    paths: /^src\/policy\//,
    may: [...POLICY_TYPES, "policy/shared"],
    packages: [],
  },
  {
    name: "core/journal",
    paths: /^src\/core\/journal\//,
    may: [...POLICY_TYPES, "core"],
    packages: [],
  },
  ...CORE_ROOMS.map((room, i) => ({
    name: `core/${room}`,
    paths: new RegExp(`^src/core/${room}/`),
    may: [...POLICY_TYPES, ...CORE_ROOMS.slice(0, i).map((below) => `core/${below}`)],
    packages: [],
  })),
  {
    name: "core",
    paths: /^src\/core\//,
    may: [...POLICY_TYPES, ...CORE_ROOMS.map((room) => `core/${room}`)],
    packages: [],
  },
  { name: "history", paths: /^src\/history\//, may: ["base", "model"], packages: [] },
  {
    name: "measures",
    paths: /^src\/measures\//,
    may: ["base", "model", "history"],
    packages: [],
  },
  {
    name: "hosts/sim",
    paths: /^src\/hosts\/sim\//,
    may: [...POLICY_TYPES, "core", "history", "measures"],
    packages: [],
  },
  {
    name: "reproduce",
    paths: /^src\/reproduce\//,
    may: [...ANYTHING, "policy", "history", "measures", "hosts/sim", "report"],
    packages: [],
  },
  { name: "testing", paths: /^src\/testing\//, may: [...ANYTHING, "policy"], packages: [] },
  {
    name: "report/page",
    paths: /^src\/report\/page\//,
    may: [...ANYTHING, "history", "report", "trace", "diagnose", "whatif"],
    packages: [],
  },
  {
    name: "page/worker",
    paths: /^src\/page\/worker\//,
    may: [
      ...[...ANYTHING, "policy", "history", "report", "report/page"],
      ...["trace", "diagnose", "whatif"],
    ],
    packages: [],
  },
  {
    name: "page",
    paths: /^src\/page\//,
    may: [
      ...["base", "model", "history", "report", "report/page"],
      ...["trace", "diagnose", "whatif", "page/worker"],
    ],
    packages: ["preact", "preact/hooks", "@preact/signals"],
  },
  {
    name: "page-server",
    paths: /^src\/page-server\//,
    may: ["base", "history", "trace", "report/page"],
    packages: ["node:"],
  },
  {
    name: "report",
    paths: /^src\/report\//,
    may: ["base", "model", "policy/policy", "core", "history", "measures"],
    packages: ["d3-scale"],
  },
  {
    name: "trace/open",
    paths: /^src\/trace\/open\//,
    may: [...ANYTHING, "policy", "data", "history", "trace"],
    packages: ["yauzl", "node:"],
  },
  {
    name: "trace",
    paths: /^src\/trace\//,
    may: [...ANYTHING, "policy", "history"],
    packages: [],
  },
  {
    name: "diagnose",
    paths: /^src\/diagnose\//,
    may: ["base", "model", "history", "measures", "trace"],
    packages: [],
  },
  {
    name: "fleet",
    paths: /^src\/fleet\//,
    may: ["base", "model", "history", "report", "diagnose"],
    packages: [],
  },
  {
    name: "whatif",
    paths: /^src\/whatif\//,
    may: [...ANYTHING, "policy", "history", "hosts/sim", "trace", "diagnose"],
    packages: [],
  },
  { name: "job", paths: /^src\/job\//, may: ["base"], packages: [] },
  {
    name: "data/kernel",
    paths: /^src\/data\/kernel\//,
    may: ["base"],
    packages: ["node:"],
  },
  {
    name: "data",
    paths: /^src\/data\//,
    may: ["base", "model", "job", "data/kernel"],
    packages: [
      "node:",
      "@eslint-community/regexpp",
      "@swc/wasm-typescript",
      "es-module-lexer",
      "fzstd",
      "hyparquet",
      "hyparquet-compressors",
    ],
  },
  {
    name: "run",
    paths: /^src\/run\//,
    may: ["base", "model", "policy/policy", "policy/registry", "measures", "job", "data"],
    packages: ["node:"],
  },
  {
    name: "hosts/engine",
    paths: /^src\/hosts\/engine\//,
    may: [...ANYTHING, "history", "measures", "job", "data", "data/kernel", "run"],
    packages: ["node:"],
  },
  {
    name: "hosts/yarn/client",
    paths: /^src\/hosts\/yarn\/client\//,
    may: [...ANYTHING, "history", "measures", "job", "data", "run", "hosts/yarn"],
    packages: ["node:", "@rgrove/parse-xml"],
  },
  {
    name: "hosts/yarn",
    paths: /^src\/hosts\/yarn\//,
    may: [...ANYTHING, "job", "data"],
    packages: ["node:", "modern-tar"],
  },
  {
    name: "library",
    paths: /^src\/library\//,
    may: [
      ...ANYTHING,
      ...["job", "data", "run", "history", "hosts/sim", "trace", "trace/open"],
      ...["diagnose", "fleet", "whatif"],
    ],
    packages: ["node:"],
  },
  {
    name: "index",
    paths: /^src\/index\.ts$/,
    may: ["base", "job", "run", "hosts/engine", "hosts/sim", "diagnose", "whatif", "library"],
    packages: [],
  },
  {
    name: "cli",
    paths: /^src\/cli\//,
    may: [
      ...ANYTHING,
      ...["job", "data", "run", "history", "measures", "hosts/sim", "hosts/engine"],
      ...["hosts/yarn", "hosts/yarn/client", "reproduce", "report"],
      ...["trace", "trace/open", "diagnose", "fleet", "whatif", "report/page"],
      ...["page-server", "library"],
    ],
    packages: ["node:", "commander", "string-width", "@bomb.sh/tab/commander"],
  },
];

/** Forbidden imports that are still to go: `from -> to`, with the day they were let in. */
export const DEBT: ReadonlyMap<string, string> = new Map<string, string>([]);

export const zoneOf = (path: string): Zone | undefined =>
  ZONES.find((zone) => zone.paths.test(path));

/** The table allows every import of a file or of a package. */
export const importTable: Check = (files) => {
  const findings: Finding[] = [];
  for (const file of files) {
    const zone = zoneOf(file.path);
    if (zone === undefined || !isTypeScript(file) || isTest(file)) continue;
    for (const { target, offset } of importsOf(file)) {
      const wrong = refusal(file.path, zone, target);
      if (wrong === undefined) continue;
      findings.push({ path: file.path, line: lineAt(file, offset), message: wrong });
    }
  }
  return findings;
};

function refusal(from: string, zone: Zone, target: string): string | undefined {
  if (!target.startsWith(".")) {
    const allowed = zone.packages.some((name) =>
      name.endsWith(":") ? target.startsWith(name) : target === name,
    );
    return allowed ? undefined : `${zone.name} may not import the package ${target}`;
  }
  if (!/\.tsx?$/.test(target)) return `import ${target}: write the .ts ending`;
  const to = posix.join(posix.dirname(from), target);
  if (DEBT.has(`${from} -> ${to}`)) return undefined;
  const other = zoneOf(to);
  if (other === undefined) return `${to} is outside the house: move it below src/`;
  if (other.name === "policy" && zone.name === "policy") {
    return policyOf(from) === policyOf(to)
      ? undefined
      : "no policy imports another: shared rules go to policy/shared/";
  }
  if (other === zone || zone.may.includes(other.name)) return undefined;
  // The core's rooms are parts of the core: code that may import the core may import them all.
  if (other.name.startsWith("core/") && zone.may.includes("core")) return undefined;
  const may = zone.may.length > 0 ? zone.may.join(", ") : "nothing";
  return `${zone.name} may not import ${other.name}, only ${may}`;
}

/** `src/policy/speculation/late.ts` and all in `src/policy/speculation/late/` are one policy. */
const policyOf = (path: string): string =>
  path.split("/").slice(2, 4).join("/").replace(/\.ts$/, "");

/** The file's imports and re-exports, including types and dynamic imports. */
export function importsOf(file: SourceFile): readonly { target: string; offset: number }[] {
  const found: { target: string; offset: number }[] = [];
  walk(file, (node) => {
    const source = node.source;
    const target = textOf(source, "value");
    if (target === undefined || !/^(Import|Export|TSImport)/.test(node.type)) return;
    found.push({ target, offset: node.start });
  });
  return found;
}
