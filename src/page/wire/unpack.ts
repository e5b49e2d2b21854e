import type { PageDocument } from "../../report/page/document.ts";
import { documentFrom } from "../../report/page/document-bytes.ts";

/** The document in the page. Throws an Error in a sentence if it is damaged. */
export async function unpack(base64: string): Promise<PageDocument> {
  const text = atob(base64.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  return documentIn(packed);
}

/** As `unpack`, of compressed bytes. */
export async function documentIn(packed: BlobPart): Promise<PageDocument> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  let bytes: ArrayBuffer;
  try {
    // Gzip ends with a checksum, which the browser verifies.
    bytes = await new Response(stream).arrayBuffer();
  } catch {
    throw new Error("The page's data is damaged: its checksum does not agree.");
  }
  return documentFrom(new Uint8Array(bytes));
}
