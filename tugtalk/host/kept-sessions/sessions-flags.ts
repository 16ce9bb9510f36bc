/** The command line of `tugtalk host sessions`. Pure. */
import { z } from "zod";
import { flagValue, readFlags } from "../../src/base/flag-schemas.ts";
import type { ExportFormat } from "../export/export-session.ts";

export const SESSIONS_USAGE = `tugtalk host sessions: what a host has kept, whether it runs or not

usage: tugtalk host sessions [list]                       the sessions with size and age
       tugtalk host sessions delete <id>                  deletes one for good; Claude's own files stay
       tugtalk host sessions export <id> [--format md]    prints the transcript

  --data <path>       the data folder of the host (default: as for tugtalk host)
  --format <format>   md or json (default: md)
  --json              print the list as one line of JSON
  --help              print this text and exit
`;

export type SessionsTask =
  | { readonly action: "list"; readonly isJson: boolean }
  | { readonly action: "delete"; readonly id: string }
  | { readonly action: "export"; readonly id: string; readonly format: ExportFormat };

/** What to do with which data folder, or what is to be printed instead. */
export type ParsedSessionsFlags =
  | { readonly task: SessionsTask; readonly data: string | undefined }
  | { readonly help: true }
  | { readonly problem: string };

const OPTIONS = {
  data: { type: "string" },
  format: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const Flags = z.object({
  data: flagValue.optional(),
  format: z.enum(["md", "json"]).default("md"),
  json: z.boolean().default(false),
  help: z.boolean().default(false),
});

/** Reads the words after `host sessions`. */
export function parseSessionsFlags(words: readonly string[]): ParsedSessionsFlags {
  const { named, rest } = leadingWords(words);
  const parsed = readFlags(rest, OPTIONS, Flags);
  if ("problem" in parsed) return parsed;
  const { help, data, format, json: isJson } = parsed.flags;
  if (help) return { help: true };
  const [action = "list", id, ...others] = named;
  if (others.length > 0) return { problem: `unexpected word: ${others[0]}` };
  if (action === "list")
    return id === undefined
      ? { task: { action, isJson }, data }
      : { problem: `unexpected word: ${id}` };
  if (action !== "delete" && action !== "export") return { problem: `unknown word: ${action}` };
  if (id === undefined) return { problem: `${action} needs the id of a session` };
  return { task: action === "delete" ? { action, id } : { action, id, format }, data };
}

function leadingWords(words: readonly string[]) {
  const first = words.findIndex((word) => word.startsWith("-"));
  const end = first === -1 ? words.length : first;
  return { named: words.slice(0, end), rest: words.slice(end) };
}
