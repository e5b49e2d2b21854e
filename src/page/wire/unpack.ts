import type { PageDocument } from "../../report/page/document.ts";
import { documentFrom } from "../../report/page/document-bytes.ts";

/** The document in the page. Throws an Error in a sentence if it is damaged. */
export const unpack = async (base64: string): Promise<PageDocument> => documentIn(bytesOf(base64));

/** As `unpack`, for compressed bytes. */
export async function documentIn(packed: BlobPart): Promise<PageDocument> {
  return documentFrom(new Uint8Array(await gunzipped(packed)));
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  return packed;
}

/** Gzip ends with a checksum, which the browser verifies. */
export async function gunzipped(packed: BlobPart): Promise<ArrayBuffer> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return await new Response(stream).arrayBuffer();
  } catch {
    throw new Error("The page's data is damaged: its checksum does not agree.");
  }
}
