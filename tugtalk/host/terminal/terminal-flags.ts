/** The command line of the terminal. Pure. */
import { parseArgs } from "node:util";

/** What the user chose. */
export type TerminalFlags = {
  readonly dir: string | undefined;
  readonly claude: string | undefined;
  readonly model: string | undefined;
  readonly dialogs: readonly string[];
  readonly isDemo: boolean;
  readonly session: {
    readonly mode: "new" | "continue" | "resume";
    readonly session_id: string | undefined;
  };
};

/** The flags, or what is to be printed instead of a start. */
export type ParsedFlags =
  | { readonly flags: TerminalFlags }
  | { readonly help: true }
  | { readonly problem: string };

export const USAGE = `Claude Code in your terminal, or in a script that pipes lines in.

usage: npm run chat -- [options]
       bun tugtalk/host/terminal.ts [options]

  --dir <path>         the folder that Claude works in (default: the current one)
  --model <name>       Claude's name or alias of a model
  --continue           go on with the newest conversation of the folder
  --resume [<id>]      go on with this conversation (default: the last one held here)
  --claude <command>   the Claude Code executable (default: where the bridge finds one)
  --dialog <kind>      show Claude's dialogs of this kind; may be repeated
  --demo               the built-in demonstration, which needs no Claude and no account
  --help               print this text and end
`;

/** What may be typed instead of a message. */
export const COMMANDS = `/help   this text
/exit   end (also Ctrl-D, or Ctrl-C on an empty line while nothing runs)
Every other line goes to Claude, also its own commands such as /compact or /cost.
Ctrl-C interrupts what runs, or empties the line. Alt-Enter begins a new line; Up and Down recall earlier lines.`;

const OPTIONS = {
  dir: { type: "string" },
  model: { type: "string" },
  continue: { type: "boolean" },
  resume: { type: "boolean" },
  claude: { type: "string" },
  dialog: { type: "string", multiple: true },
  demo: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reads the words after the command. */
export function parseFlags(words: readonly string[]): ParsedFlags {
  try {
    return readFlags(words);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function readFlags(words: readonly string[]): ParsedFlags {
  const parsed = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  const { values } = parsed;
  // The id may follow `--resume`, which is why a word without a flag is read at all.
  const [id, ...others] = parsed.positionals;
  const unexpected = values.resume === true ? others[0] : id;
  if (values.help === true) return { help: true };
  if (unexpected !== undefined) return { problem: `unexpected word: ${unexpected}` };
  if (values.resume === true && values.continue === true) {
    return { problem: "--resume and --continue exclude each other" };
  }
  if (id !== undefined && !UUID.test(id)) return { problem: `not the id of a session: ${id}` };
  const { dir, claude, model, dialog: dialogs = [], demo: isDemo = false } = values;
  const mode = values.resume === true ? "resume" : values.continue === true ? "continue" : "new";
  return { flags: { dir, claude, model, dialogs, isDemo, session: { mode, session_id: id } } };
}
