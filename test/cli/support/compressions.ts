/** Pieces of at most this length. */
function pieces(bytes: Uint8Array, length: number): readonly Uint8Array[] {
  const count = Math.ceil(bytes.length / length);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * length, (i + 1) * length));
}

/** A frame of zstd whose blocks are stored as they are (RFC 8878, 3.1.1). */
export function zstdFrame(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0]);
  head.writeUInt32LE(bytes.length, 5);
  const all = pieces(bytes, 100_000);
  const blocks = all.flatMap((piece, i) => {
    const block = Buffer.alloc(3);
    block.writeUIntLE((piece.length << 3) | (i === all.length - 1 ? 1 : 0), 0, 3);
    return [block, piece];
  });
  return Buffer.concat([head, ...blocks]);
}

/** Blocks of lz4-java that are stored as they are. */
export function lz4Stream(bytes: Uint8Array): Uint8Array {
  const blocks = pieces(bytes, 32_768).flatMap((piece) => {
    const head = Buffer.alloc(21);
    head.write("LZ4Block", "latin1");
    head.writeUInt8(0x15, 8);
    head.writeUInt32LE(piece.length, 9);
    head.writeUInt32LE(piece.length, 13);
    return [head, piece];
  });
  return Buffer.concat(blocks);
}

/** Blocks of snappy-java that hold one literal each. */
export function snappyStream(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from("\x82SNAPPY\0\0\0\0\x01\0\0\0\x01", "latin1");
  const blocks = pieces(bytes, 16_000).flatMap((piece) => {
    const size = [(piece.length & 127) | 128, piece.length >> 7];
    const literal = Buffer.from([...size, 61 << 2, 0, 0]);
    literal.writeUInt16LE(piece.length - 1, literal.length - 2);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(literal.length + piece.length);
    return [length, literal, piece];
  });
  return Buffer.concat([head, ...blocks]);
}
