/** Names that nothing else has. */

/** `crypto.randomUUID` is for pages over HTTPS and of this machine only, and a host may listen elsewhere. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
