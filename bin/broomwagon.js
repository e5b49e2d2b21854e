#!/usr/bin/env node
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const main = new URL("../dist/bundle/cli.js", import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  const root = fileURLToPath(new URL("..", import.meta.url));
  console.error(`broomwagon is not built: run "npm install" (or "npm run build") in ${root}`);
  process.exitCode = 1;
}
