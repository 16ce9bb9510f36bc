/** JSON that can be printed on a terminal: of the control characters, JSON itself escapes those below 32. Pure. */
export function jsonText(value: unknown): string {
  return (JSON.stringify(value) ?? "null").replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}
