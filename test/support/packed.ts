import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { defined } from "../../src/base/assert.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What `npm pack` and its scripts read, once the build is done. */
const PARTS = [
  ...["bin", "docs", "examples", "fixtures", "reproduction", "scenarios", "tools/pack"],
  ...["dist/bundle", "dist/data", "dist/page", "dist/types"],
  ...["package.json", "tsconfig.base.json", "scenario.schema.json", "THIRD-PARTY-NOTICES"],
  ...["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff", "LICENSE"],
];

/** Built by Maven, for a release. */
const JAR = "yarn-plugin/target/broomwagon-yarn.jar";

/**
 * A built copy of the repository, in a temporary directory. Packing changes pages while it lasts,
 * which other tests read.
 */
export function copyToPack(): string {
  const copy = mkdtempSync(join(tmpdir(), "broomwagon-to-pack-"));
  const parts = existsSync(join(ROOT, JAR)) ? [...PARTS, JAR] : PARTS;
  for (const part of parts) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const manifest = JSON.parse(readFileSync(join(copy, "package.json"), "utf8"));
  manifest.scripts.build = "true";
  writeFileSync(join(copy, "package.json"), JSON.stringify(manifest, undefined, 2));
  return copy;
}

/** What `npm pack` makes. */
export interface Packed {
  readonly tarball: string;
  /** The size of the tarball, in bytes. */
  readonly size: number;
  /** The size of all files, in bytes. */
  readonly unpackedSize: number;
  readonly paths: readonly string[];
  /** The directory of the unpacked package. */
  readonly root: string;
}

/** The package as `npm pack` makes it, while the tests of the file run. */
export function packed(): () => Packed {
  const into = mkdtempSync(join(tmpdir(), "broomwagon-packed-"));
  let made: Packed | undefined;
  beforeAll(() => {
    made = pack(into);
  });
  afterAll(() => rmSync(into, { recursive: true }));
  return () => defined(made, "the package, before the tests of the file run");
}

function pack(into: string): Packed {
  const copy = copyToPack();
  const flags = ["--json", "--silent", "--pack-destination", into];
  const said = execFileSync("npm", ["pack", ...flags], { cwd: copy, encoding: "utf8" });
  rmSync(copy, { recursive: true });
  const [{ filename, size, unpackedSize, files }]: [Said] = JSON.parse(said);
  const tarball = join(into, filename);
  execFileSync("tar", ["--extract", "--file", tarball, "--directory", into]);
  const paths = files.map(({ path }) => path);
  return { tarball, size, unpackedSize, paths, root: join(into, "package") };
}

interface Said {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}
