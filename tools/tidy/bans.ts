import {
  type Check,
  type Finding,
  isNode,
  isTest,
  isTypeScript,
  lineAt,
  type SourceFile,
  type SyntaxNode,
  textOf,
  walk,
} from "./source.ts";

/** Below `src`; the compiler's list is in tsconfig.pure.json, a reader's in ARCHITECTURE.md. */
export const PURE: readonly string[] = [
  ...["base", "model", "policy", "core", "hosts/sim"],
  ...["history", "measures", "report", "reproduce", "trace", "diagnose", "fleet", "whatif"],
];
/** It reads files and history servers. */
export const IMPURE_WITHIN = "trace/open";

const MATH = new Set(
  "min max floor ceil abs sqrt imul trunc round sign clz32 fround PI E".split(" "),
);

const GLOBALS: ReadonlyMap<string, string> = new Map([
  ["Date", "time is the event's `at`"],
  ["Intl", "what it prints differs between machines"],
  ["Promise", "the pure folders never wait: return an action"],
  ["WeakRef", "what the garbage collector does must not be seen"],
  ["FinalizationRegistry", "what the garbage collector does must not be seen"],
]);

const MEMBERS: ReadonlyMap<string, string> = new Map([
  ["localeCompare", "it differs between machines: compare with < and >"],
  ["toLocaleString", "it differs between machines"],
]);

const SYNTAX: ReadonlyMap<string, string> = new Map([
  ["AwaitExpression", "await: the pure folders never wait"],
  ["ForInStatement", "for ... in: integer-like keys reorder themselves; use a Map or an array"],
]);

/**
 * Bans code that would make the pure folders read a clock, draw unseeded numbers or round
 * differently.
 */
export const purity: Check = (files) => [
  ...scan(files, isPure, impure),
  ...scan(files, (file) => isPure(file) && file.path !== READS_JSON, catches),
];

const isPure = ({ path }: SourceFile): boolean =>
  PURE.some((folder) => path.startsWith(`src/${folder}/`)) &&
  !path.startsWith(`src/${IMPURE_WITHIN}/`);

/** JSON.parse throws, and its text is the user's. */
const READS_JSON = "src/base/json.ts";

const catches = ({ type }: SyntaxNode): string | undefined =>
  type === "CatchClause"
    ? "catch: a bug must crash; a user's mistake is caught by the command line"
    : undefined;

function impure(
  node: SyntaxNode,
  parent: SyntaxNode | undefined,
  field: string,
): string | undefined {
  const syntax = SYNTAX.get(node.type);
  if (syntax !== undefined) return syntax;
  if (node.type === "BinaryExpression" && node.operator === "**") {
    return "**: engines may differ in the last bit; multiply, or use pow from base/math.ts";
  }
  if (node.async === true) return "async: the pure folders never wait";
  if (node.type !== "Identifier") return undefined;
  const name = textOf(node, "name") ?? "";
  const isMember = parent?.type === "MemberExpression" && field === "property" && !parent.computed;
  if (isMember) return memberOf(parent, name);
  if (field === "key" || field === "label") return undefined;
  if (name === "Math" && !(parent?.type === "MemberExpression" && field === "object")) {
    return "Math as a value: name the function, so that this check sees it";
  }
  const cure = GLOBALS.get(name);
  return cure === undefined ? undefined : `${name}: ${cure}`;
}

function memberOf(parent: SyntaxNode, name: string): string | undefined {
  const cure = MEMBERS.get(name);
  if (cure !== undefined) return `${name}: ${cure}`;
  if (textOf(parent.object, "name") !== "Math" || MATH.has(name)) return undefined;
  return name === "random"
    ? "Math.random: use ctx.random() or base/random.ts, which are seeded"
    : `Math.${name}: engines may differ in the last bit; use ${name} from base/math.ts`;
}

/** Casts that were reviewed and must stay: path -> how many, with the reason beside it. */
export const CASTS: ReadonlyMap<string, number> = new Map<string, number>([]);

const MAY_CAST = /^src\/(base\/|model\/ids\.ts)/;

/** `any` nowhere; `as` only where branded values are made. */
export const casts: Check = (files) => {
  const findings = scan(files, isTypeScript, (node) =>
    node.type === "TSAnyKeyword" ? "any: say what it is, or unknown" : undefined,
  );
  const inHouse = (file: SourceFile) => file.path.startsWith("src/") && !MAY_CAST.test(file.path);
  const casts = scan(files, inHouse, (node) =>
    isCast(node) ? "as: narrow it with a check" : undefined,
  );
  const seen = new Map<string, number>();
  const beyond = casts.filter(({ path }) => {
    const count = (seen.get(path) ?? 0) + 1;
    seen.set(path, count);
    return count > (CASTS.get(path) ?? 0);
  });
  return [...findings, ...beyond];
};

function isCast(node: SyntaxNode): boolean {
  if (node.type !== "TSAsExpression") return false;
  const type = node.typeAnnotation;
  return !(isNode(type) && textOf(type.typeName, "name") === "const");
}

/** What checks a value of an unknown type: functions and classes by their names. */
const CHECKING: ReadonlySet<string> = new Set(["JsonAnswer", "agrees", "readPlanNames"]);

/** The types that have to be narrowed before they are of use. */
const UNCHECKED = /^(unknown|Json|Promise<unknown>)$/;

/** JSON.parse returns any: given to a value of another type, it is a hidden cast. */
export const parses: Check = (files) =>
  files.filter((file) => file.path.startsWith("src/") && isTypeScript(file)).flatMap(unchecked);

function unchecked(file: SourceFile): readonly Finding[] {
  const typeText = (of: unknown): string => {
    const type = isNode(of) && isNode(of.typeAnnotation) ? of.typeAnnotation : undefined;
    return type === undefined ? "" : file.text.slice(type.start, type.end);
  };
  const around: SyntaxNode[] = [];
  const isChecked = (call: SyntaxNode, parent: SyntaxNode | undefined): boolean => {
    switch (parent?.type) {
      case "VariableDeclarator":
        return isNode(parent.id) && UNCHECKED.test(typeText(parent.id.typeAnnotation));
      case "CallExpression":
      case "NewExpression":
        return CHECKING.has(textOf(parent.callee, "name") ?? "");
      case "ArrowFunctionExpression":
      case "ReturnStatement": {
        const within = around.findLast(({ start, end }) => start <= call.start && call.end <= end);
        return UNCHECKED.test(typeText(within?.returnType));
      }
      default:
        return false;
    }
  };
  return scan(
    [file],
    () => true,
    (node, parent) => {
      if (/Function/.test(node.type)) around.push(node);
      if (!isParse(node) || isChecked(node, parent)) return undefined;
      return "JSON.parse: give it to a Json or an unknown, and check that";
    },
  );
}

function isParse({ type, callee }: SyntaxNode): boolean {
  if (type !== "CallExpression" || !isNode(callee) || callee.type !== "MemberExpression") {
    return false;
  }
  return textOf(callee.object, "name") === "JSON" && textOf(callee.property, "name") === "parse";
}

/** The folders whose reads by an index fail loudly. */
const READS_LOUDLY = /^src\/(diagnose|fleet|measures|whatif|report|page|trace|history)\//;

/** The folders where a read by an index may still have a default other than 0 and NaN. */
const HAS_DEFAULTS = /^src\/(report|page)\//;

/** A read by an index that must be there has no default: a wrong index would look like a value. */
export const reads: Check = (files) => [
  ...scan(files, ({ path }) => READS_LOUDLY.test(path), hiding(isNothing)),
  ...scan(
    files,
    ({ path }) => READS_LOUDLY.test(path) && !HAS_DEFAULTS.test(path),
    hiding(isOtherNumber),
  ),
];

const hiding =
  (isDefault: (right: SyntaxNode) => boolean) =>
  ({ type, operator, left, right }: SyntaxNode): string | undefined => {
    if (type !== "LogicalExpression" || operator !== "??" || !isNode(left) || !isNode(right)) {
      return undefined;
    }
    const isRead = left.type === "MemberExpression" && left.computed === true;
    return isRead && left.optional !== true && isDefault(right)
      ? "?? number: a read by an index that may be wrong; use cell"
      : undefined;
  };

const isNothing = (right: SyntaxNode): boolean =>
  (right.type === "Literal" && right.value === 0) || textOf(right.property, "name") === "NaN";

const isOtherNumber = ({ type, value, operator, argument }: SyntaxNode): boolean =>
  (type === "Literal" && typeof value === "number" && value !== 0) ||
  (type === "UnaryExpression" && operator === "-" && isNode(argument));

const MAY_EXIT = /(^|\/)main\.ts$/;

/** Only a main.ts ends its process; all other files return or throw. */
export const exits: Check = (files) =>
  scan(
    files,
    (file) => file.path.startsWith("src/") && !MAY_EXIT.test(file.path),
    (node) => {
      const isExit =
        node.type === "MemberExpression" &&
        textOf(node.object, "name") === "process" &&
        textOf(node.property, "name") === "exit";
      return isExit ? "process.exit: only the main.ts of a process ends it" : undefined;
    },
  );

type Judge = (
  node: SyntaxNode,
  parent: SyntaxNode | undefined,
  field: string,
) => string | undefined;

function scan(
  files: readonly SourceFile[],
  applies: (file: SourceFile) => boolean,
  judge: Judge,
): readonly Finding[] {
  const findings: Finding[] = [];
  for (const file of files) {
    if (!isTypeScript(file) || isTest(file) || !applies(file)) continue;
    walk(file, (node, parent, field) => {
      const message = judge(node, parent, field);
      if (message === undefined) return;
      findings.push({ path: file.path, line: lineAt(file, node.start), message });
    });
  }
  return findings;
}
