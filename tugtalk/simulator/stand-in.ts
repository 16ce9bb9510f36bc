/**
 * A stand-in for the `claude` executable 2.1.330 in stream-json mode. It takes the real one's command line
 * and behaves as the protocol reference documents. Its lines come from a scenario or a conversation file;
 * without one it echoes. This file has the pipes, the signals and the environment.
 */
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { worktreeFolder } from "../src/base/repository.ts";
import { buildFailure } from "./claude-lines.ts";
import { type CommandLine, describeUnknownSession, parseCommandLine } from "./command-line.ts";
import { EMPTY_CONVERSATION, parseConversation } from "./conversation.ts";
import { type ByteReader, FaultControl } from "./fault-control.ts";
import { type NewId, openIds } from "./ids.ts";
import { parseLimit } from "./limited-turn.ts";
import { Output, type WriteText } from "./output.ts";
import { Player } from "./player.ts";
import recorded from "./recorded-lines.json";
import { judgeLine, type LineVerdict } from "./refusals.ts";
import { scenarioText } from "./scenarios.ts";
import type { Ending, SimulatorOptions } from "./simulator-state.ts";
import { parseSpeed, pauseAt } from "./speed.ts";
import { parseFlood } from "./unscripted-turn.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const USAGE = `A stand-in for the claude executable in stream-json mode. It takes the flags of the real one, and echoes
what it is told or plays a conversation. tugtalk starts it in place of Claude: tugtalk simulate, or
tugtalk --claude <path of this file>.

environment:

  TUGTALK_SIM_SCENARIO    name of a scenario to play (tugtalk simulate --list)
  TUGTALK_SIM_PROCESS     which process of the scenario or file this is (default: 1)
  TUGTALK_SIM_SPEED       factor by which pauses are shorter; max or 0: no pauses (default: 1)
  TUGTALK_SIM_SEED        makes the ids repeatable
  TUGTALK_CONVERSATION    path of a conversation file, such as a recording, to play instead of a scenario
  TUGTALK_SIM_STDIN_LOG   path of a file to which every line of stdin is appended as received
  TUGTALK_SIM_SESSIONS    comma list of the session ids that exist; absent: any can be resumed
  TUGTALK_SIM_FLOOD       <deltas>x<bytes>: echoes stream that instead;
                          <messages>x<deltas>x<bytes>: in so many messages of the model
  TUGTALK_SIM_LIMIT       <seconds since 1970>: the usage limit refuses all turns until then;
                          <seconds since 1970> late: after their first message of the model
  TUGTALK_SIM_FAULTS      path of a Unix socket that sends orders, such as to crash
`;

/** Plays Claude on the pipes of this process. Sets the exit code. */
export async function runStandIn(args: readonly string[], env: Environment): Promise<void> {
  if (args.includes("--help")) {
    process.stdout.write(USAGE);
    return;
  }
  const knownSessions = env["TUGTALK_SIM_SESSIONS"]?.split(",").filter((id) => id !== "");
  const verdict = parseCommandLine(args, knownSessions);
  if (!verdict.ok) refuse(verdict.stderr);
  else if (verdict.commandLine.showVersion) printVersion();
  else {
    if (!(await enterWorktree(verdict.commandLine))) return;
    const faults = await openFaults(env["TUGTALK_SIM_FAULTS"]);
    const newId = openIds(env["TUGTALK_SIM_SEED"]);
    const player = openPlayer({ commandLine: verdict.commandLine, env, faults, newId });
    faults?.attach(player);
    const unknown = describeUnknownSession(verdict.commandLine.resume, knownSessions);
    if (unknown !== undefined) failBeforeInput(player, unknown);
    await play(player, env["TUGTALK_SIM_STDIN_LOG"], faults);
  }
}

/** Enters the worktree in which Claude works. It lacks the files that the real CLI would check out. */
async function enterWorktree({ worktree }: CommandLine): Promise<boolean> {
  if (worktree === undefined) return true;
  const folder = await worktreeFolder(process.cwd(), worktree);
  if (folder === undefined) {
    const where = `but ${process.cwd()} is not a git repository.`;
    refuse(`Error: Can only use --worktree in a git repository, ${where}`);
    return false;
  }
  mkdirSync(folder, { recursive: true });
  process.chdir(folder);
  return true;
}

function openFaults(path: string | undefined): Promise<FaultControl> | undefined {
  return path === undefined || path === "" ? undefined : FaultControl.open(path);
}

async function play(
  player: Player,
  logPath: string | undefined,
  faults: FaultControl | undefined,
): Promise<void> {
  listenForSignals(player);
  const reader = Bun.stdin.stream().getReader();
  const reading = readLines(faults?.listenTo(reader) ?? reader, (line) => {
    if (player.isOver) return;
    if (logPath !== undefined) appendFileSync(logPath, `${line}\n`);
    takeLine(player, judgeLine(line));
  }).then(() => player.closeInput());
  endAs(await player.run());
  faults?.close();
  // An open stdin would keep the process alive after its last line.
  await reader.cancel();
  await reading;
}

type PlayerParts = {
  readonly commandLine: CommandLine;
  readonly env: Environment;
  readonly faults: FaultControl | undefined;
  readonly newId: NewId;
};

function openPlayer({ commandLine, env, faults, newId }: PlayerParts): Player {
  const flood = parseFlood(env["TUGTALK_SIM_FLOOD"]);
  const limit = parseLimit(env["TUGTALK_SIM_LIMIT"]);
  const stdout = Bun.stdout.writer();
  const write = writeTo(stdout);
  return new Player({
    commandLine,
    ...readConversation(env),
    output: new Output(faults?.speakThrough(stdout, write) ?? write),
    writeError: (text) => void process.stderr.write(text),
    pause: pauseAt(speedOf(env)),
    cwd: process.cwd(),
    pid: process.pid,
    newId,
    isCheckpointing: env["CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING"] === "1",
    ...(flood === undefined ? {} : { flood }),
    ...(limit === undefined ? {} : { limit }),
    ...(faults !== undefined && { onTurnEnd: () => faults.endTools() }),
  });
}

/** A scenario is played again and again; after a file, and without one, messages are echoed. */
function readConversation(env: Environment): Pick<SimulatorOptions, "conversation" | "isRepeated"> {
  const { TUGTALK_CONVERSATION: path, TUGTALK_SIM_SCENARIO: scenario } = env;
  const text = path ? readFileSync(path, "utf8") : scenario && scenarioText(scenario);
  if (!text) return { conversation: EMPTY_CONVERSATION, isRepeated: false };
  const process = Number(env["TUGTALK_SIM_PROCESS"] ?? 1);
  return { conversation: parseConversation(text, process), isRepeated: !path };
}

function speedOf(env: Environment): number {
  const text = env["TUGTALK_SIM_SPEED"] ?? "1";
  const speed = parseSpeed(text);
  if (speed === undefined) throw new Error(`TUGTALK_SIM_SPEED is a factor or max; got ${text}`);
  return speed;
}

function takeLine(player: Player, verdict: LineVerdict): void {
  switch (verdict.kind) {
    case "message":
      player.receive(verdict.message);
      return;
    case "ignored":
      player.receive(verdict.value);
      return;
    case "fatal":
      player.fail(verdict.stderr, 1);
  }
}

/** A session that cannot be resumed ends the process before it reads any input (§7). */
function failBeforeInput(player: Player, error: string): void {
  const { session } = player;
  // Only the failed search for a conversation names its id.
  const isNamed = error.startsWith("No conversation");
  const sessionId = isNamed ? session.sessionId : session.newId();
  player.print(buildFailure({ ...session, sessionId }, error));
  player.fail(error, 1);
}

/** Splits at the byte 0x0A alone; a last line needs no newline (§2). */
async function readLines(reader: ByteReader, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    const [first = "", ...rest] = decoder.decode(value, { stream: !done }).split("\n");
    pieces.push(first);
    for (const start of rest) {
      take(pieces.join(""));
      pieces = [start];
    }
    if (done) break;
  }
  const last = pieces.join("");
  if (last !== "") take(last);
}

function writeTo(sink: Bun.FileSink): WriteText {
  return async (text) => {
    await Promise.all([sink.write(text), sink.flush()]);
  };
}

function listenForSignals(player: Player): void {
  process.on("SIGINT", () => player.interruptAndExit());
  process.on("SIGTERM", () => player.exit(143));
  process.on("SIGHUP", () => player.exit(129));
}

function endAs({ code, signal }: Ending): void {
  if (signal !== null) process.kill(process.pid, signal);
  else process.exitCode = code ?? 0;
}

function refuse(stderr: string): void {
  process.stderr.write(`${stderr}\n`);
  process.exitCode = 1;
}

function printVersion(): void {
  process.stdout.write(`${recorded.init.claude_code_version} (Claude Code)\n`);
}
