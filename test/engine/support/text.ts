/** Lines of made-up words, the same for the same seed. A few words are frequent, most are rare. */
export function textOf(query: { readonly bytes: number; readonly seed: number }): string {
  const random = randomFrom(query.seed);
  const lines: string[] = [];
  for (let bytes = 0; bytes < query.bytes; ) {
    const words = Array.from({ length: 3 + Math.floor(random() * 10) }, () => word(random));
    const line = words.join(" ");
    lines.push(line);
    bytes += line.length + 1;
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Uniform in [0, 1): mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The rank is the square of a uniform number: a rough Zipf. */
function word(random: () => number): string {
  const rank = Math.floor(random() ** 3 * 5000);
  return `${SYLLABLES[rank % 16]}${SYLLABLES[(rank >> 4) % 16]}${rank % 7 === 0 ? "" : rank}`;
}

const SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu ve".split(" ");
