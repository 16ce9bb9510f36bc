/** Gives a text to the person as a file. */

const TYPES: Readonly<Record<string, string>> = {
  md: "text/markdown",
  json: "application/json",
};

/** A name that every file system takes. */
export function fileName(title: string, ending: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return `${words === "" ? "session" : words}.${ending}`;
}

export function download(name: string, text: string): void {
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "text/plain";
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
