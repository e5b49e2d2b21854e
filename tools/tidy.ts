import { casts, exits, parses, purity, reads } from "./tidy/bans.ts";
import { circles } from "./tidy/circles.ts";
import { computedTimes } from "./tidy/computed-times.ts";
import { deadFiles } from "./tidy/dead-files.ts";
import { importTable } from "./tidy/imports.ts";
import { instants } from "./tidy/instants.ts";
import { columns, fileLength, functionLength } from "./tidy/lengths.ts";
import { letterDoor } from "./tidy/letter-door.ts";
import { links } from "./tidy/links.ts";
import { oneImporter } from "./tidy/one-importer.ts";
import { quotes } from "./tidy/quotes.ts";
import type { Check, Finding } from "./tidy/source.ts";
import { words } from "./tidy/words.ts";

export type { Check, Finding, SourceFile } from "./tidy/source.ts";
export { readRepository } from "./tidy/source.ts";

/** The project's rules that neither compiler nor linter checks; each runs as a test. */
export const CHECKS: ReadonlyMap<string, Check> = new Map([
  ["imports follow the table", importTable],
  ["no import circle, types included", circles],
  ["a letter and a referee know the door alone, and so do nets", letterDoor],
  ["the pure folders read no clock, draw no chance and round alike everywhere", purity],
  ["the core and the policies compare instants, not the time that has passed", instants],
  ["the core and the policies rank and compare computed times by their helpers", computedTimes],
  ["there is no any, and as only where branded values are made", casts],
  ["a text that is parsed is checked", parses],
  ["a read by an index hides no wrong index", reads],
  ["only its main.ts ends a process", exits],
  ["no file is longer than 400 lines", fileLength],
  ["no function is longer than 70 lines", functionLength],
  ["no line of code is wider than 100 columns", columns],
  ["links and paths in the documents lead somewhere", links],
  ["code that the papers' pages quote stands in the file that they name", quotes],
  ["no file is dead", deadFiles],
  ["a short file with one importer is a part of it", oneImporter],
  ["no path of one machine, no promise without an issue", words],
]);

export const format = ({ path, line, message }: Finding): string => `${path}:${line} ${message}`;
