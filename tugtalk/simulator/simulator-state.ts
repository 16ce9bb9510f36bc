/**
 * The state of one imitated process, and the only function that prints its lines. The player, the control
 * requests and the prompts decide on the lines.
 */

import type { Fields } from "../src/base/json.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { Session } from "./claude-lines.ts";
import type { CommandLine } from "./command-line.ts";
import type { Conversation } from "./conversation.ts";
import { HeldLines } from "./held-lines.ts";
import { HostProgram } from "./host-program.ts";
import type { NewId } from "./ids.ts";
import { fieldOf } from "./json-value.ts";
import type { Output } from "./output.ts";
import { PrintedLines } from "./printed-lines.ts";
import recorded from "./recorded-lines.json";
import { firstMcpServers, firstSessionId, Script } from "./script.ts";

/** How the process ends. */
export type Ending = { readonly code: number | null; readonly signal: string | null };

/**
 * The messages that a turn streams instead of its echo, the text deltas of each, and the bytes of each delta.
 */
export type Flood = {
  readonly messages: number;
  readonly deltas: number;
  readonly bytes: number;
};

/** The usage limit, which is reached until then. */
export type UsageLimit = {
  /** In seconds since 1970. */
  readonly resetsAt: number;
  /** The refused model call is the second of a turn instead of the first. */
  readonly isLate: boolean;
};

/** All inputs of an imitated process, which does not read the environment. */
export type SimulatorOptions = {
  readonly commandLine: CommandLine;
  readonly conversation: Conversation;
  readonly output: Output;
  readonly writeError: (text: string) => void;
  /** Waits for `ms` milliseconds of the conversation's time, at most until `cut`. */
  readonly pause: (ms: number, cut: AbortSignal) => Promise<void>;
  readonly cwd: string;
  readonly pid: number;
  readonly newId: NewId;
  /** A user message after the last turn restarts the conversation; otherwise it is echoed. */
  readonly isRepeated: boolean;
  readonly flood?: Flood;
  readonly limit?: UsageLimit;
  /** The process keeps the files of each user message for `rewind_files`. */
  readonly isCheckpointing?: boolean;
  /** A result was printed. */
  readonly onTurnEnd?: () => void;
};

/** The state that player, controls and prompts share. */
export class SimulatorState {
  readonly options: SimulatorOptions;
  readonly script: Script;
  readonly printed = new PrintedLines();
  readonly held = new HeldLines();
  readonly program: HostProgram;
  readonly checkpoints: Checkpoints;
  /** The awaited answers of the host, by request; undefined until they come. */
  readonly answers = new Map<string, Fields | undefined>();
  session: Session;
  /** The servers with their states, as in `system/init`. */
  mcpServers: readonly Fields[];
  /** The user message of the running turn. */
  received: Fields | undefined;
  /** The rest of an unscripted turn that is being printed. */
  unscripted: Iterator<Fields> | undefined;
  ending: Ending | undefined;
  /** The event of the reached limit was printed. */
  isLimitTold = false;
  /** The kinds of dialogs that the host has declared. */
  dialogKinds: readonly unknown[] = [];
  /** The rules and directories that the host has sent with its answers. */
  granted: readonly unknown[] = [];
  /** The denied tools, for the result of the turn. */
  denials: Fields[] = [];

  constructor(options: SimulatorOptions) {
    this.options = options;
    this.session = openSession(options);
    this.program = new HostProgram(options.newId);
    this.checkpoints = new Checkpoints(options.isCheckpointing === true);
    this.mcpServers = firstMcpServers(options.conversation);
    this.script = new Script(options.conversation, this.session);
  }

  /** Whether the host's lines are echoed, as it has asked. */
  get echoesUser(): boolean {
    return this.options.commandLine.replayUserMessages;
  }

  /** Prints one line and records the parts that it opens and closes. */
  print(line: Fields): void {
    this.printed.record(line);
    this.checkpoints.record(line);
    this.options.output.sendLine(line);
    if (line["type"] === "result") this.options.onTurnEnd?.();
  }

  /** Prints a line of a turn: leaves out lines that the flags do not request, and adds denials. */
  printOfTurn(line: Fields): void {
    const isPartial = line["type"] === "stream_event";
    if (isPartial && !this.options.commandLine.includePartialMessages) return;
    const isText = typeof fieldOf(line, "message", "content") === "string";
    // Output of local commands is a replay too, but is always printed (§6).
    if (line["isReplay"] === true && !isText && !this.echoesUser) return;
    this.print(line["type"] === "result" ? this.#withDenials(line) : line);
  }

  /** Ends the process once all lines are written. The first call counts. */
  end(code: number | null, signal: string | null = null): void {
    this.ending ??= { code, signal };
  }

  #withDenials(result: Fields): Fields {
    const { denials } = this;
    this.denials = [];
    if (denials.length === 0) return result;
    const { permission_denials: scripted } = result;
    const all = [...(Array.isArray(scripted) ? scripted : []), ...denials];
    return { ...result, permission_denials: all };
  }
}

function openSession(options: SimulatorOptions): Session {
  const { commandLine, conversation, cwd, newId } = options;
  const { sessionId, resume, forkSession, model, permissionMode } = commandLine;
  const resumed = forkSession ? undefined : resume;
  const isManual = permissionMode === "manual";
  return {
    cwd,
    newId,
    sessionId: sessionId ?? resumed ?? firstSessionId(conversation) ?? newId(),
    model: model ?? recorded.init.model,
    permissionMode: isManual ? "default" : (permissionMode ?? "default"),
  };
}
