import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A package whose code is in a bundle. */
export interface BundledPackage {
  readonly name: string;
  /** The directory of the package. */
  readonly root: string;
}

/** The package that a module of a bundle belongs to; undefined if the module is our own. */
export function packageOf(module: string): BundledPackage | undefined {
  const [, root, name] = /^\0?(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(module) ?? [];
  return root === undefined || name === undefined ? undefined : { name, root };
}

/** Licences that stand here because the package brings none; the text says what is known. */
const OWN_TEXTS: ReadonlyMap<string, string> = new Map([
  ["@bomb.sh/tab", "tools/notices/bomb.sh-tab.txt"],
]);

const TEXT_FILE = /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i;
const COPYRIGHT = /^\s*copyright (\(c\)|©|\d{4})/i;
const TITLE = /^\s*(the )?(mit|isc) licen[cs]e( \((mit|isc)\))?\s*$/i;

interface Notice {
  /** Name, version and the licence's identifier. */
  readonly heading: string;
  readonly copyrights: readonly string[];
  readonly terms: string;
}

/**
 * The notices of the packages, sorted by name. Terms that several packages share stand once, below
 * the copyright lines of all of them. `repository`: our own root directory.
 */
export function noticesOf(packages: Iterable<BundledPackage>, repository: string): string {
  const byTerms = new Map<string, Notice[]>();
  for (const each of sorted(packages)) {
    const notice = noticeOf(each, repository);
    const key = notice.terms.replaceAll(/\s+/g, " ");
    byTerms.set(key, [...(byTerms.get(key) ?? []), notice]);
  }
  return [...byTerms.values()].map(sectionOf).join(`\n${"-".repeat(80)}\n\n`);
}

function sorted(packages: Iterable<BundledPackage>): readonly BundledPackage[] {
  const byRoot = new Map([...packages].map((each) => [each.root, each]));
  const keys = [...byRoot.values()].map((each) => [`${each.name} ${each.root}`, each] as const);
  return keys.sort(([x], [y]) => (x < y ? -1 : 1)).map(([, each]) => each);
}

function noticeOf({ name, root }: BundledPackage, repository: string): Notice {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const own = OWN_TEXTS.get(name);
  const files = own === undefined ? textFiles(root) : [join(repository, own)];
  const lines = files.flatMap((file) => readFileSync(file, "utf8").trim().split(/\r?\n/));
  if (lines.length === 0) {
    throw new Error(
      `${name} is bundled and brings no licence text: add one to OWN_TEXTS in tools/notices`,
    );
  }
  return {
    heading: `${name} ${manifest.version} (${manifest.license})`,
    copyrights: lines.filter((line) => COPYRIGHT.test(line)).map((line) => line.trim()),
    terms: lines
      .filter((line) => !COPYRIGHT.test(line) && !TITLE.test(line))
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim(),
  };
}

const textFiles = (root: string): readonly string[] =>
  readdirSync(root)
    .filter((name) => TEXT_FILE.test(name))
    .sort()
    .map((name) => join(root, name));

const sectionOf = (notices: readonly Notice[]): string =>
  [
    ...notices.flatMap(({ heading, copyrights }) => [
      heading,
      ...copyrights.map((line) => `  ${line}`),
    ]),
    "",
    notices[0]?.terms,
    "",
  ].join("\n");
