/** A text that Markdown leaves unchanged. Pure. */

/** In a fence that is longer than any in the text. Empty for an empty text. */
export function fenced(text: string, language = ""): string {
  if (text === "") return "";
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}
