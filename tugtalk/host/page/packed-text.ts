/** A long text as the build puts it into the program. */

/** As a text of a quarter of the length. */
export function packText(text: string): string {
  return Bun.zstdCompressSync(text, { level: 19 }).toString("base64");
}

/** Takes what `packText` has made. */
export function unpackText(packed: string): string {
  return Bun.zstdDecompressSync(Buffer.from(packed, "base64")).toString();
}
