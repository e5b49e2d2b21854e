/** What a release is made of. */
export interface Release {
  /** The tag that was pushed. */
  readonly tag: string;
  readonly manifest: ReleaseManifest;
  /** The text of CHANGELOG.md, and of CITATION.cff. */
  readonly changelog: string;
  readonly citation: string;
  readonly hasJar: boolean;
  /** OWNER/NAME of the repository in which the workflow runs; undefined elsewhere. */
  readonly runsIn: string | undefined;
}

export interface ReleaseManifest {
  readonly version: string;
  readonly author?: unknown;
  readonly homepage?: unknown;
  readonly bugs?: unknown;
  readonly repository?: { readonly url: string };
}

/** What a maintainer fills in once: RELEASING.md. */
const FILLED_IN = ["author", "homepage", "bugs", "repository"] as const;

/** Why the release cannot be published; empty if it can. */
export function releaseFaults(release: Release): readonly string[] {
  const { tag, manifest, changelog, citation, hasJar, runsIn } = release;
  const { version, repository } = manifest;
  const url = `git+https://github.com/${runsIn}.git`;
  return [
    ...(tag === `v${version}` ? [] : [`tag: expected v${version}, found ${tag}`]),
    ...FILLED_IN.filter((name) => manifest[name] === undefined).map(
      (name) => `package.json, ${name}: missing`,
    ),
    ...(repository === undefined || runsIn === undefined || repository.url === url
      ? []
      : [`package.json, repository.url: expected ${url}, found ${repository.url}`]),
    ...(datedSection(version).test(changelog)
      ? []
      : [`CHANGELOG.md: expected a heading "## ${version} (YYYY-MM-DD)"`]),
    ...(citation.includes(`\nversion: ${version}\n`)
      ? []
      : [`CITATION.cff: expected version: ${version}`]),
    ...(hasJar ? [] : ["the plug-in for Hadoop is not built: npm run build:plugin"]),
  ];
}

const datedSection = (version: string): RegExp =>
  new RegExp(`^## ${version.replaceAll(".", "\\.")} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, "m");
