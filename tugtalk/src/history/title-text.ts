/** Titles of conversations as one line of text. Pure. */

const MAX_TITLE_CHARS = 200;

/** The title that a prompt gives a conversation; undefined for a command and where no text is left. */
export function promptTitle(prompt: string): string | undefined {
  const line = asLine(withoutResources(prompt));
  return line?.startsWith("/") === true ? undefined : line;
}

/** A prompt of an editor without the resources that tugtalk or `claude-agent-acp` has put at its end. */
export function withoutResources(prompt: string): string {
  const start = prompt.search(/\s*<(?:resource uri|context ref)="/);
  return start === -1 ? prompt : prompt.slice(0, start);
}

/** One line of limited length; undefined if it would be empty. */
export function asLine(text: string): string | undefined {
  const chars = [...text.replaceAll(/\s+/g, " ").trim()];
  if (chars.length > MAX_TITLE_CHARS) return `${chars.slice(0, MAX_TITLE_CHARS - 1).join("")}…`;
  return chars.join("") || undefined;
}
