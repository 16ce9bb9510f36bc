/** The command line of `tugtalk host sessions`. Pure. */
import { entryIn } from "../../client/claude-value.ts";
import { oneOf, present, readFlags } from "../../src/base/flags.ts";
import type { ExportFormat } from "../export/export-session.ts";

export const SESSIONS_USAGE = `tugtalk host sessions: what a host has kept, whether it runs or not

usage: tugtalk host sessions [list]                       the sessions with size and age
       tugtalk host sessions delete <id>                  deletes one for good; Claude's own files stay
       tugtalk host sessions export <id> [--format md]    prints the transcript
       tugtalk host sessions backup <file>                writes all of them to a new file

  --data <path>       the data folder of the host (default: as for tugtalk host)
  --format <format>   md or json (default: md)
  --json              print the list as one line of JSON
  --help              print this text and exit
`;

export type SessionsTask =
  | { readonly action: "list"; readonly isJson: boolean }
  | { readonly action: "delete"; readonly id: string }
  | { readonly action: "export"; readonly id: string; readonly format: ExportFormat }
  | { readonly action: "backup"; readonly file: string };

/** What to do with which data folder, or what is to be printed instead. */
export type ParsedSessionsFlags =
  | { readonly task: SessionsTask; readonly data: string | undefined }
  | { readonly help: true }
  | { readonly problem: string };

const OPTIONS = {
  data: { type: "string", check: present },
  format: { type: "string", check: oneOf("md", "json") },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Reads the words after `host sessions`. */
export function parseSessionsFlags(words: readonly string[]): ParsedSessionsFlags {
  const { named, rest } = leadingWords(words);
  const parsed = readFlags(rest, OPTIONS);
  if ("problem" in parsed) return parsed;
  const { help = false, data, json: isJson = false } = parsed.flags;
  const format = parsed.flags.format === "json" ? "json" : "md";
  if (help) return { help: true };
  const [action = "list", word, ...others] = named;
  const unexpected = action === "list" ? word : others[0];
  if (unexpected !== undefined) return { problem: `unexpected word: ${unexpected}` };
  if (action === "list") return { task: { action, isJson }, data };
  const needed = entryIn(NEEDED, action);
  if (needed === undefined) return { problem: `unknown word: ${action}` };
  if (word === undefined) return { problem: `${action} needs ${needed}` };
  return { task: taskOf(action, word, format), data };
}

const NEEDED: Readonly<Record<string, string>> = {
  delete: "the id of a session",
  export: "the id of a session",
  backup: "the path of a new file",
};

function taskOf(action: string, word: string, format: ExportFormat): SessionsTask {
  if (action === "backup") return { action, file: word };
  return action === "delete" ? { action, id: word } : { action: "export", id: word, format };
}

function leadingWords(words: readonly string[]) {
  const first = words.findIndex((word) => word.startsWith("-"));
  const end = first === -1 ? words.length : first;
  return { named: words.slice(0, end), rest: words.slice(end) };
}
