/** What only those who work on the package need. */
const OURS = new Set(["scripts", "devDependencies"]);

/**
 * package.json as the package has it. Without `scripts`, npm has no `prepare` to warn of, and
 * nobody who installs the package has to read what our scripts would do.
 */
export function publishedManifest(text: string): string {
  const manifest: object = JSON.parse(text);
  const published = Object.entries(manifest).filter(([name]) => !OURS.has(name));
  return `${JSON.stringify(Object.fromEntries(published), undefined, 2)}\n`;
}

/** The address of a file of this version in the repository that `repository` names, if any. */
export function addressIn(
  manifest: Manifest,
): ((path: string, kind: "page" | "picture") => string) | undefined {
  const { repository, version } = manifest;
  if (repository === undefined) return undefined;
  const { url } = repository;
  const [, root] = /^git\+(https:\/\/github\.com\/[^/]+\/[^/]+)\.git$/.exec(url) ?? [];
  if (root === undefined) {
    const expected = "git+https://github.com/OWNER/NAME.git";
    throw new Error(`package.json, repository.url: expected ${expected}, found ${url}`);
  }
  return (path, kind) => `${root}/${kind === "page" ? "blob" : "raw"}/v${version}/${path}`;
}

/** The part of package.json that addresses depend on. */
export interface Manifest {
  readonly version: string;
  readonly repository?: { readonly url: string };
}
