/**
 * Asks a CLI about itself: its version, its usage text, and, in a session without a message and
 * without an API, what it offers and which requests it takes. Ends every process that it starts.
 */
import { resolve } from "node:path";
import { isJsonObject } from "../src/base/json.ts";
import { isOverlong, type Line, MAX_LINE_BYTES } from "../src/base/lines.ts";
import { buildCapabilities } from "../src/claude/capabilities.ts";
import { buildClaudeArgs } from "../src/claude/claude-args.ts";
import type { ClaudeProcess } from "../src/claude/claude-process-port.ts";
import { startFailure } from "../src/claude/start-failure.ts";
import { TugtalkError } from "../src/messages/errors.ts";
import { findClaude } from "../src/process/claude-command.ts";
import { startClaudeProcess } from "../src/process/claude-process.ts";
import { QUESTIONS } from "./features.ts";
import { type Patience, within } from "./patience.ts";
import type { FoundBy } from "./report.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A CLI and the throw-away place in which it is asked. */
export type Place = {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

/** Which CLI the bridge would start, and how it was found. Throws `claude_not_found`. */
export function locateClaude(
  flag: string | undefined,
  env: Environment,
): { readonly command: readonly string[]; readonly found_by: FoundBy } {
  const fromEnvironment = env["TUGTALK_CLAUDE"] || undefined;
  const command = findClaude(flag ?? fromEnvironment).map(fromHere);
  if (flag !== undefined) return { command, found_by: "flag" };
  if (fromEnvironment !== undefined) return { command, found_by: "environment" };
  return { command, found_by: Bun.which("claude") === null ? "usual_place" : "path" };
}

/** The CLI is asked in a folder of its own, where a relative path would lead elsewhere. */
function fromHere(word: string): string {
  return word.includes("/") ? resolve(word) : word;
}

// ----------------------------------------------------------------------------- version and usage

/** All that a process printed on stdout, and the end of what it printed on stderr. */
type Printed = { readonly out: string; readonly errors: string };

/** The version that the CLI prints; nothing if what it prints is not Claude Code's. */
export async function askVersion(
  place: Place,
  patience: Patience,
): Promise<{ readonly version: string | undefined; readonly printed: Printed }> {
  const printed = await runToEnd(place, ["--version"], patience);
  const version = /(\d+\.\d+\.\d+\S*) \(Claude Code\)/.exec(printed.out)?.[1];
  return { version, printed };
}

/** What the usage text tells; nothing where there is none. */
export type Usage = {
  readonly flags?: ReadonlySet<string>;
  readonly permissionModes?: readonly string[];
};

/** The flags and permission modes of the usage text. Some flags are in no usage text. */
export async function askUsage(place: Place, patience: Patience): Promise<Usage> {
  const out = await runToEnd(place, ["--help"], patience).then(
    (printed) => printed.out,
    (error: unknown) => {
      if (patience.signal.aborted) throw error;
      return ""; // The bridge can do without.
    },
  );
  const flags = new Set(out.match(/--[a-z][\w-]+/gi));
  // Less than this is no usage text of Claude's.
  if (!flags.has("--output-format")) return {};
  const choices = /--permission-mode <mode>[^(]*\(choices:([^)]*)\)/.exec(out)?.[1];
  const modes = choices?.match(/[A-Za-z]+/g) ?? undefined;
  return { flags, ...(modes !== undefined && { permissionModes: modes }) };
}

async function runToEnd(
  place: Place,
  args: readonly string[],
  patience: Patience,
): Promise<Printed> {
  const child = startClaudeProcess({ ...place, args, maxLineBytes: MAX_LINE_BYTES });
  child.closeInput();
  try {
    return await within(readAll(child), patience, `end of \`claude ${args.join(" ")}\``);
  } finally {
    child.kill("SIGKILL");
  }
}

async function readAll(child: ClaudeProcess): Promise<Printed> {
  const lines: string[] = [];
  for await (const batch of child.lines) lines.push(...batch.map(textOf));
  const { stderrTail } = await child.exited;
  return { out: lines.join("\n"), errors: stderrTail };
}

function textOf(line: Line): string {
  return isOverlong(line) ? "" : new TextDecoder().decode(line);
}

// --------------------------------------------------------------------------------------- interview

/** What the CLI said when it was asked over its own protocol. */
export type Interview = {
  readonly readyMs: number;
  readonly capabilities: ReturnType<typeof buildCapabilities>;
  readonly requests: ReadonlyMap<string, boolean>;
  readonly interruptReceipt: boolean | undefined;
};

type Answer = { readonly subtype?: unknown; readonly response?: unknown };

/** Every CLI answers this one, so what was asked before it and has no answer gets none. */
const LAST_QUESTION = "mcp_status";

/** How long an answer may come after the answer to the last question, in ms. */
const LATE_MS = 250;

/** How long the answers to all questions may take together, in ms. */
const LONGEST_TALK_MS = 10_000;

/** Starts the CLI as the bridge does and asks it. Throws where the bridge would fail to start. */
export async function interview(
  place: Place,
  version: string | undefined,
  patience: Patience,
): Promise<Interview> {
  const startedAt = performance.now();
  const claude = startClaudeProcess({
    ...place,
    args: buildClaudeArgs({}),
    maxLineBytes: MAX_LINE_BYTES,
  });
  const talk = new Talk(claude);
  try {
    const answer = await within(talk.ready, patience, "answer to initialize");
    const readyMs = Math.round(performance.now() - startedAt);
    await endOf(talk, patience);
    return {
      readyMs,
      capabilities: buildCapabilities(answer?.response ?? {}, version),
      requests: new Map(QUESTIONS.map(({ subtype }) => [subtype, isTaken(talk.answers, subtype)])),
      interruptReceipt: hasReceipt(talk.answers.get("interrupt")),
    };
  } catch (cause) {
    throw cause instanceof TugtalkError ? cause : unresponsive(cause);
  } finally {
    claude.kill("SIGKILL");
    await claude.exited;
  }
}

/** A CLI that starts can be used, whether or not it ends by itself when its stdin is closed. */
async function endOf(talk: Talk, patience: Patience): Promise<void> {
  const brief = { ...patience, ms: Math.min(patience.ms, LONGEST_TALK_MS) };
  await within(talk.ended, brief, "end of the talk").catch((error: unknown) => {
    if (patience.signal.aborted) throw error;
  });
}

function unresponsive(cause: unknown): TugtalkError {
  const words = cause instanceof Error ? cause.message : String(cause);
  return new TugtalkError("claude_unresponsive", words, { cause });
}

/** A refusal that names the subtype as unknown is a no; any other answer shows that it is known. */
function isTaken(answers: ReadonlyMap<string, Answer>, subtype: string): boolean {
  const answer = answers.get(subtype);
  const error = (answer as { error?: unknown } | undefined)?.error;
  return answer !== undefined && !/^Unsupported control request/.test(String(error));
}

function hasReceipt(answer: Answer | undefined): boolean | undefined {
  if (answer?.subtype !== "success") return undefined;
  const { response } = answer;
  return isJsonObject(response) && "still_queued" in response;
}

/** One talk: initialize, then all questions at once, then the end of stdin. Request ids are subtypes. */
class Talk {
  readonly answers = new Map<string, Answer>();
  /** The answer to initialize; rejects if the CLI ends before. */
  readonly ready: Promise<Answer | undefined>;
  /** The CLI has ended. */
  readonly ended: Promise<void>;
  readonly #claude: ClaudeProcess;

  constructor(claude: ClaudeProcess) {
    this.#claude = claude;
    const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
    this.ready = promise;
    this.#ask({ subtype: "initialize" });
    this.ended = this.#read(resolve).then((exit) => reject(exit));
    // Who waits for `ready` hears of it; afterwards nobody has to.
    this.ready.catch(() => {});
  }

  #ask(request: { readonly subtype: string }): void {
    const { subtype } = request;
    this.#claude.writeLine(
      JSON.stringify({ type: "control_request", request_id: subtype, request }),
    );
  }

  async #read(onReady: (answer: Answer | undefined) => void): Promise<TugtalkError> {
    for await (const lines of this.#claude.lines) {
      for (const line of lines) this.#take(textOf(line), onReady);
    }
    const { stderrTail, exitCode, signal } = await this.#claude.exited;
    return startFailure(stderrTail, signal ?? `exit code ${exitCode}`, false);
  }

  #take(line: string, onReady: (answer: Answer | undefined) => void): void {
    const response = controlResponse(line);
    if (response === undefined || this.answers.has(response.request_id)) return;
    this.answers.set(response.request_id, response);
    if (response.request_id === "initialize") {
      onReady(response);
      for (const question of [...QUESTIONS, { subtype: LAST_QUESTION }]) this.#ask(question);
    }
    if (response.request_id === LAST_QUESTION) setTimeout(() => this.#claude.closeInput(), LATE_MS);
  }
}

function controlResponse(line: string): (Answer & { readonly request_id: string }) | undefined {
  try {
    const { type, response } = JSON.parse(line);
    const isOurs = type === "control_response" && typeof response?.request_id === "string";
    return isOurs ? response : undefined;
  } catch {
    // Not JSON, or not an object: no answer.
    return undefined;
  }
}
