/** The command line of `tugtalk host sessions`. Pure. */
import { entryIn } from "../../client/claude-value.ts";
import { oneOf, present, readFlags } from "../../src/base/flags.ts";
import type { ExportFormat } from "../export/export-session.ts";
import { DATABASE_OPTIONS, type DatabaseFlags, databaseFlags } from "../server/database-flags.ts";

export const SESSIONS_USAGE = `tugtalk host sessions: what a host has kept, whether it runs or not

usage: tugtalk host sessions [list]                       the sessions with size and age
       tugtalk host sessions delete <id>                  deletes one for good; Claude's own files stay
       tugtalk host sessions export <id> [--format md]    prints the transcript
       tugtalk host sessions backup <file>                writes all of them to a new file
       tugtalk host sessions import --all                 moves those of the data folder into the database;
                                                          no host may run on the folder
       tugtalk host sessions export --all                 moves those of the database into the data folder

  --data <path>       the data folder of the host (default: as for tugtalk host)
  --database-file <path>  the PostgreSQL database whose URL this file has, as the variable
                          TUGTALK_DATABASE names it: what is in there, in place of the data folder
  --machine <name>    the name of this machine in that database (default: its host name)
  --format <format>   md or json (default: md)
  --json              print the list as one line of JSON
  --help              print this text and exit
`;

export type SessionsTask =
  | { readonly action: "list"; readonly isJson: boolean }
  | { readonly action: "delete"; readonly id: string }
  | { readonly action: "export"; readonly id: string; readonly format: ExportFormat }
  | { readonly action: "backup"; readonly file: string };

/** From the data folder into the database, or back. */
export type Move = "import" | "export";

/** The action, with its data folder or database, or a text to print instead. */
export type ParsedSessionsFlags =
  | {
      readonly task: SessionsTask;
      readonly data: string | undefined;
      readonly database: DatabaseFlags | undefined;
    }
  | {
      readonly move: Move;
      readonly data: string | undefined;
      readonly database: DatabaseFlags;
    }
  | { readonly help: true }
  | { readonly problem: string };

const OPTIONS = {
  data: { type: "string", check: present },
  format: { type: "string", check: oneOf("md", "json") },
  json: { type: "boolean" },
  all: { type: "boolean" },
  "database-file": DATABASE_OPTIONS["database-file"],
  machine: DATABASE_OPTIONS.machine,
  help: { type: "boolean", short: "h" },
} as const;

/** Reads the arguments after `host sessions`. */
export function parseSessionsFlags(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  currentDir: string,
): ParsedSessionsFlags {
  const { named, rest } = leadingWords(words);
  const parsed = readFlags(rest, OPTIONS);
  if ("problem" in parsed) return parsed;
  const { help = false, all = false, data, json: isJson = false, format } = parsed.flags;
  if (help) return { help: true };
  const database = databaseFlags(parsed.flags, env, currentDir);
  if (database !== undefined && "problem" in database) return database;
  const move = moveOf(named, all);
  if (typeof move === "object") return move;
  if (move !== undefined) {
    if (database !== undefined) return { move, data, database };
    return { problem: `${move} --all needs --database-file, or TUGTALK_DATABASE` };
  }
  const task = taskOf(named, { isJson, format: format === "json" ? "json" : "md" });
  return "problem" in task ? task : { task, data, database };
}

type Problem = { readonly problem: string };

function moveOf(named: readonly string[], isAll: boolean): Move | Problem | undefined {
  const [action = "list", word] = named;
  if (action === "import" && !isAll) return { problem: "import needs --all" };
  if (!isAll) return undefined;
  if (action !== "import" && action !== "export")
    return { problem: `--all is for import and export, not for ${action}` };
  if (word !== undefined) return { problem: `unexpected word: ${word}` };
  return action;
}

type Printed = { readonly isJson: boolean; readonly format: ExportFormat };

function taskOf(named: readonly string[], { isJson, format }: Printed): SessionsTask | Problem {
  const [action = "list", word, ...others] = named;
  const unexpected = action === "list" ? word : others[0];
  if (unexpected !== undefined) return { problem: `unexpected word: ${unexpected}` };
  if (action === "list") return { action, isJson };
  const needed = entryIn(NEEDED, action);
  if (needed === undefined) return { problem: `unknown word: ${action}` };
  if (word === undefined) return { problem: `${action} needs ${needed}` };
  return wordTask(action, word, format);
}

const NEEDED: Readonly<Record<string, string>> = {
  delete: "the id of a session",
  export: "the id of a session",
  backup: "the path of a new file",
};

function wordTask(action: string, word: string, format: ExportFormat): SessionsTask {
  if (action === "backup") return { action, file: word };
  return action === "delete" ? { action, id: word } : { action: "export", id: word, format };
}

function leadingWords(words: readonly string[]) {
  const first = words.findIndex((word) => word.startsWith("-"));
  const end = first === -1 ? words.length : first;
  return { named: words.slice(0, end), rest: words.slice(end) };
}
