import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { PackedPage } from "./packed.ts";

/** A page that works from a file, without a network: only its own script may run. */
export function oneFile({ title, document, job }: PackedPage): string {
  const carried = [
    carriedAs("document", document),
    carriedAs("worker", worker()),
    ...(job === undefined ? [] : [carriedAs("job", job)]),
  ].join("\n");
  const { script, style } = assets("file");
  const policy = policyOf(script, style);
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return htmlOf({ title, meta, carried, script, style });
}

const carriedAs = (id: string, data: Uint8Array): string =>
  `<script type="application/octet-stream" id="${id}">${base64Of(data)}</script>`;

const base64Of = (data: Uint8Array): string => Buffer.from(data).toString("base64");

/** The script of the page's worker, compressed. */
export const worker = (): Buffer => readFileSync(new URL("../page/worker.js.gz", import.meta.url));

/**
 * The page without data: it fetches the data from its server. `policy`: its
 * Content-Security-Policy.
 */
export function livePage(): { readonly html: string; readonly policy: string } {
  const { script, style } = assets("server");
  const policy = `${policyOf(script, style)}; connect-src 'self'; frame-ancestors 'none'`;
  return { html: htmlOf({ title: "Broomwagon", meta: "", carried: "", script, style }), policy };
}

const policyOf = (script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "img-src data:",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

interface Parts {
  readonly title: string;
  readonly meta: string;
  readonly carried: string;
  readonly script: string;
  readonly style: string;
}

const htmlOf = ({ title, meta, carried, script, style }: Parts): string =>
  [
    "<!doctype html>",
    '<html lang="en">',
    '<meta charset="utf-8">',
    meta,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    '<div id="page"><p>This page needs JavaScript, which it brings along.</p></div>',
    carried,
    `<!--\n${notices()}-->`,
    `<script>${script}</script>`,
    "</html>",
    "",
  ].join("\n");

/**
 * The script and the style from the build; the script of a page in a file, or of a server's page.
 */
function assets(of: "file" | "server"): { readonly script: string; readonly style: string } {
  const script =
    of === "file"
      ? readFileSync(new URL("../page/page.js", import.meta.url), "utf8")
      : gunzipSync(readFileSync(new URL("../page/live.js.gz", import.meta.url))).toString("utf8");
  const style = readFileSync(new URL("../page/page.css", import.meta.url), "utf8");
  return { script: script.replaceAll("</script", "<\\/script"), style };
}

/** The licences of the packages that the scripts contain, which a page has to show. */
const notices = (): string => readFileSync(new URL("../page/notices.txt", import.meta.url), "utf8");

const hashOf = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
