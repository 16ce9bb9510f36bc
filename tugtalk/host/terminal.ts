/**
 * The reference host: Claude Code in a terminal, or in a script that pipes lines in.
 * `terminal-host.ts` shows the use of `tugtalk/spawn` and `tugtalk/client`. The files in `comfort/`
 * only make it pleasant for a person: line editing, Markdown, diffs.
 */
import { type SpawnOptions, spawnTugtalk, type Tugtalk } from "../spawn/spawn.ts";
import { KeyboardConsole } from "./terminal/comfort/keyboard-console.ts";
import { parseFlags, type TerminalFlags, USAGE } from "./terminal/terminal-flags.ts";
import { runTerminal, type Start } from "./terminal/terminal-host.ts";
import { scriptConsole } from "./terminal/user-console.ts";

/** Prints the usage, or runs a conversation; gives the exit code. */
async function main(): Promise<number> {
  const parsed = parseFlags(process.argv.slice(2));
  if ("help" in parsed) {
    process.stdout.write(USAGE);
    return 0;
  }
  if ("problem" in parsed) {
    process.stderr.write(`${parsed.problem}\n\n${USAGE}`);
    return 2;
  }
  const isInteractive = process.stdin.isTTY === true && process.stdout.isTTY === true;
  const userConsole = isInteractive ? new KeyboardConsole() : scriptConsole();
  return runTerminal(chooseStart(parsed.flags), userConsole);
}

/** The bridge finds Claude by itself. Only where nothing was named, the demonstration takes its place. */
function chooseStart(flags: TerminalFlags): Start {
  if (flags.isDemo) return demonstration(flags, "leave out --demo for the real one");
  const named = flags.claude ?? process.env["TUGTALK_CLAUDE"];
  const notice = `Claude: ${named ?? "the one that is installed"} (a demonstration without an account: --demo; help: /help)`;
  const { claude } = flags;
  const start = { start: () => openBridge(flags, { claude }), init: initOf(flags), notice };
  if (named) return start;
  const reason = "no claude was found; install it or name one with --claude <command>";
  return { ...start, fallback: demonstration(flags, reason) };
}

function demonstration(flags: TerminalFlags, reason: string): Start {
  return {
    start: () => openBridge(flags, { simulate: true }),
    init: { type: "protocol_init", version: 2 },
    notice: `Claude: the built-in demonstration, not the real one (${reason})`,
  };
}

function openBridge({ dir }: TerminalFlags, options: SpawnOptions): Promise<Tugtalk> {
  const bridgeFile = process.env["TUGTALK_BRIDGE"];
  const command = bridgeFile === undefined ? undefined : [process.execPath, bridgeFile];
  return spawnTugtalk({ ...options, dir: dir ?? process.cwd(), command });
}

function initOf({ session, model, dialogs }: TerminalFlags): Start["init"] {
  const options = dialogs.length > 0 ? { dialogs: [...dialogs] } : undefined;
  return { type: "protocol_init", version: 2, session, model, options };
}

process.exitCode = await main();
