/** The name of an exported file. Pure. */

/** A name that every file system takes. */
export function fileName(title: string, ending: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return `${name === "" ? "session" : name}.${ending}`;
}
