import { gzipSync } from "node:zlib";
import type { TraceJob } from "../history/model.ts";
import { carriedJob } from "../report/page/carried-job.ts";
import type { PageDocument } from "../report/page/document.ts";
import { documentBytes } from "../report/page/document-bytes.ts";
import { type Answers, answersOf } from "./answers.ts";

/** A page, and its diagnosed job for the page's worker, compressed. */
export interface WholePage {
  readonly document: PageDocument;
  readonly job?: Uint8Array | undefined;
}

/** A page as a file or a server carries it. */
export interface PackedPage {
  readonly title: string;
  /** Compressed, as the job is. */
  readonly document: Uint8Array;
  readonly job?: Uint8Array | undefined;
  readonly answers: Answers;
}

/** The page, compressed. */
export const packed = ({ document, job }: WholePage): PackedPage => ({
  title: `${document.head.title.slice(0, 120)} · Broomwagon`,
  document: gzipSync(documentBytes(document), { level: 9 }),
  job,
  answers: answersOf(document.head),
});

/** `jobs`: the jobs of the page. */
export function wholePage(document: PageDocument, jobs: readonly TraceJob[]): WholePage {
  const { whyJob = -1 } = document.head;
  const job = jobs[whyJob];
  if (job === undefined) return { document };
  return { document, job: gzipSync(carriedJob(job, document, whyJob), { level: 9 }) };
}
