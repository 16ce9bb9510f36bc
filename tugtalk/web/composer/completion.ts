/** The word before the caret that is to be completed, and the text with its completion. Pure. */
import type { FileMatch } from "../../client/host-api.ts";
import type { SlashCommandEntry } from "../../client/web-components.ts";

export type Trigger = {
  readonly kind: "command" | "file";
  /** The typed part of the name. */
  readonly query: string;
  /** Where `/` or `@` is. */
  readonly start: number;
  readonly end: number;
};

/** A command is at the beginning of the text only; a file is at the beginning of any word. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before)?.[1];
  if (command !== undefined) return { kind: "command", query: command, start: 0, end: caret };
  const query = /(?:^|\s)@([^\s"]*|"[^"\n]*)$/.exec(before)?.[1];
  if (query === undefined) return undefined;
  const start = caret - query.length - 1;
  return { kind: "file", query: query.replace('"', ""), start, end: caret };
}

export type Choice = {
  readonly label: string;
  /** Takes the place of the typed word, with its `/` or `@`. */
  readonly insert: string;
  readonly hint?: string | undefined;
  readonly detail?: string | undefined;
  readonly category?: string | undefined;
};

const MAX_COMMANDS = 50;

/** The best first: names that begin with the query, then aliases, then names that have it anywhere. */
export function commandChoices(
  commands: readonly SlashCommandEntry[],
  query: string,
): readonly Choice[] {
  const wanted = query.toLowerCase();
  return commands
    .map((command) => ({ command, rank: rankOf(command, wanted) }))
    .filter(({ rank }) => rank !== -1)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, MAX_COMMANDS)
    .map(({ command }) => commandChoice(command));
}

function rankOf({ name, aliases, description = "" }: SlashCommandEntry, wanted: string): number {
  const [own, others] = [name.toLowerCase(), aliases.map((alias) => alias.toLowerCase())];
  return [
    own.startsWith(wanted),
    others.some((alias) => alias.startsWith(wanted)),
    own.includes(wanted),
    description.toLowerCase().includes(wanted),
  ].indexOf(true);
}

function commandChoice(command: SlashCommandEntry): Choice {
  const { name, category, description, argumentHint, aliases } = command;
  const also = aliases.map((alias) => `/${alias}`).join(", ");
  return {
    label: `/${name}`,
    insert: `/${name} `,
    hint: [argumentHint, also].filter(Boolean).join(" · ") || undefined,
    detail: description,
    category,
  };
}

/** The completion goes on in a chosen folder: its files are the next choices. */
export function fileChoices(files: readonly FileMatch[]): readonly Choice[] {
  return files.map(({ path, kind }) => {
    const isFolder = kind === "folder";
    const name = isFolder ? `${path}/` : path;
    const quote = /\s/.test(name) ? '"' : "";
    return {
      label: name,
      insert: isFolder ? `@${quote}${name}` : `@${quote}${name}${quote} `,
    };
  });
}

/** The text with the choice in it, and where the caret is then. */
export function withChoice(
  text: string,
  { start, end }: Trigger,
  { insert }: Choice,
): { readonly text: string; readonly caret: number } {
  const after = text.slice(end);
  const joined = insert.endsWith(" ") && after.startsWith(" ") ? insert.slice(0, -1) : insert;
  return { text: text.slice(0, start) + joined + after, caret: start + insert.length };
}
