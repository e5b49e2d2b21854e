import { type DocumentName, documented } from "../library/documents.ts";

/** JSON for programs. Numbers that JSON lacks, such as Infinity, are null. */
export const jsonText = (name: DocumentName, content: object): string =>
  JSON.stringify(documented(name, content), null, 2);
