import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { PageDocument } from "../report/page/document.ts";
import { documentBytes } from "../report/page/document-bytes.ts";

/** A page that works from a file, without a network: it may run its own script and nothing else. */
export function oneFile(document: PageDocument): string {
  const [script, style] = assets();
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const data = gzipSync(documentBytes(document), { level: 9 }).toString("base64");
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escaped(document.head.title.slice(0, 120))} · Broomwagon</title>`,
    `<style>${style}</style>`,
    '<div id="page"><p>This page needs JavaScript, which it brings along.</p></div>',
    `<script type="application/octet-stream" id="document">${data}</script>`,
    `<script>${script}</script>`,
    "</html>",
    "",
  ].join("\n");
}

/** The script and the style that the build made. */
function assets(): readonly [script: string, style: string] {
  const script = readFileSync(new URL("../page/page.js", import.meta.url), "utf8");
  const style = readFileSync(new URL("../page/page.css", import.meta.url), "utf8");
  return [script.replaceAll("</script", "<\\/script"), style];
}

const hashOf = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
