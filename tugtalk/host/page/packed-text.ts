/** The form in which the build puts a long text into the program. */

/** Packs a text into a quarter of its length. */
export function packText(text: string): string {
  return Bun.zstdCompressSync(text, { level: 19 }).toString("base64");
}

/** Unpacks a text of `packText`. */
export function unpackText(packed: string): string {
  return Bun.zstdDecompressSync(Buffer.from(packed, "base64")).toString();
}
