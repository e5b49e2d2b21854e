import { readFileSync } from "node:fs";

/** The version of this package. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const isNamed = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isNamed ? String(manifest.version) : "unknown";
}

/** For instance `broomwagon 0.1.0, Node 20.19.0, linux x64`. */
export function versionLine(): string {
  const { arch, platform, versions } = process;
  return `broomwagon ${packageVersion()}, Node ${versions.node}, ${platform} ${arch}`;
}
