/** Puts a text on the clipboard. */

/** Rejects with what a person can do about it. */
export async function copyText(text: string): Promise<void> {
  if (!isSecureContext)
    throw new Error("The browser lets a page copy only over HTTPS, or from this machine.");
  await navigator.clipboard.writeText(text);
}
