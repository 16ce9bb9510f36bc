/**
 * The reports of a CLI about itself: its version, its usage text, and its capabilities in a session without a
 * prompt and without an API. Ends every process that it starts.
 */
import { resolve } from "node:path";
import { isJsonObject, parseJson } from "../src/base/json.ts";
import { isOverlong, type Line, MAX_LINE_BYTES } from "../src/base/lines.ts";
import { buildCapabilities } from "../src/claude/capabilities.ts";
import { buildClaudeArgs } from "../src/claude/claude-args.ts";
import type { ClaudeProcess } from "../src/claude/claude-process-port.ts";
import { startFailure } from "../src/claude/start-failure.ts";
import { TugtalkError } from "../src/messages/errors.ts";
import { findClaude } from "../src/process/claude-command.ts";
import { startClaudeProcess } from "../src/process/claude-process.ts";
import { REQUESTS } from "./features.ts";
import type { DoctorReport } from "./report.ts";
import { type StepTimeout, within } from "./step-timeout.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A CLI and the temporary folder and environment in which it is inspected. */
export type Cli = {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

/** Which CLI the bridge would start, and how it was found. Throws `claude_not_found`. */
export function locateClaude(
  flag: string | undefined,
  env: Environment,
): NonNullable<DoctorReport["claude"]> {
  const fromEnvironment = env["TUGTALK_CLAUDE"] || undefined;
  // The CLI runs in another folder, where a relative path would not be found.
  const command = findClaude(flag ?? fromEnvironment).map((word) =>
    word.includes("/") ? resolve(word) : word,
  );
  if (flag !== undefined) return { command, found_by: "flag" };
  if (fromEnvironment !== undefined) return { command, found_by: "environment" };
  return { command, found_by: Bun.which("claude") === null ? "usual_place" : "path" };
}

/** The executable runs, and is another program. */
export class NotClaude extends TugtalkError {}

/** The version that the CLI prints. Throws `NotClaude` if it prints anything else. */
export async function readVersion(cli: Cli, timeout: StepTimeout): Promise<string> {
  const { out, errors } = await runToEnd(cli, ["--version"], timeout);
  const version = /(\d+\.\d+\.\d+\S*) \(Claude Code\)/.exec(out)?.[1];
  if (version !== undefined) return version;
  const [line = ""] = (out.trim() || errors.trim()).split("\n");
  const printed = line === "" ? "nothing" : `"${line.slice(0, 200)}"`;
  const message = `${cli.command.join(" ")} is not Claude Code: --version prints ${printed}`;
  throw new NotClaude("claude_start_failed", message);
}

/** Empty where the CLI has no usage text. */
export type Usage = {
  readonly flags?: ReadonlySet<string>;
  readonly permissionModes?: readonly string[];
};

/** The flags and permission modes of the usage text, which leaves some flags out. */
export async function readUsage(cli: Cli, timeout: StepTimeout): Promise<Usage> {
  const { out } = await runToEnd(cli, ["--help"], timeout).catch((error: unknown) => {
    if (timeout.signal.aborted) throw error;
    return { out: "" }; // The version shows most of it.
  });
  const flags = new Set(out.match(/--[a-z][\w-]+/gi));
  // Every usage text of Claude has this flag.
  if (!flags.has("--output-format")) return {};
  const choices = /--permission-mode <mode>[^(]*\(choices:([^)]*)\)/.exec(out)?.[1];
  const modes = choices?.match(/[A-Za-z]+/g) ?? undefined;
  return { flags, ...(modes !== undefined && { permissionModes: modes }) };
}

/** Resolves to stdout and the tail of stderr. */
async function runToEnd(cli: Cli, args: readonly string[], timeout: StepTimeout) {
  const child = startClaudeProcess({ ...cli, args, maxLineBytes: MAX_LINE_BYTES });
  child.closeInput();
  try {
    return await within(readAll(child), timeout, `end of \`claude ${args.join(" ")}\``);
  } finally {
    child.kill("SIGKILL");
  }
}

async function readAll(child: ClaudeProcess) {
  const lines: string[] = [];
  for await (const batch of child.lines) lines.push(...Array.from(batch, textOf));
  const { stderrTail } = await child.exited;
  return { out: lines.join("\n"), errors: stderrTail };
}

function textOf(line: Line): string {
  return isOverlong(line) ? "" : new TextDecoder().decode(line);
}

/** The CLI's answers to control requests. */
export type Answers = {
  readonly readyMs: number;
  readonly capabilities: ReturnType<typeof buildCapabilities>;
  /** Whether it knows each of `REQUESTS`. */
  readonly requests: ReadonlyMap<string, boolean>;
  readonly interruptReceipt: boolean | undefined;
};

type Answer = Readonly<Record<string, unknown>>;

/** Every version answers this one, so a request sent before it and not answered by then has no answer. */
const LAST_REQUEST = "mcp_status";

/** How much later than the last answer another one may come, in ms. */
const LATE_MS = 250;

/** The longest wait for all answers together, in ms. */
const ALL_ANSWERS_MS = 10_000;

/** Starts the CLI as the bridge does and sends it all requests. Throws where the bridge would fail to start. */
export async function askAll(cli: Cli, version: string, timeout: StepTimeout): Promise<Answers> {
  const startedAt = performance.now();
  const args = buildClaudeArgs({});
  const claude = startClaudeProcess({ ...cli, args, maxLineBytes: MAX_LINE_BYTES });
  const session = new Session(claude);
  try {
    const { response } = await within(session.ready, timeout, "answer to initialize");
    const readyMs = Math.round(performance.now() - startedAt);
    await endOf(session, timeout);
    const { answers } = session;
    return {
      readyMs,
      capabilities: buildCapabilities(response ?? {}, version),
      requests: new Map(REQUESTS.map(({ subtype }) => [subtype, isKnown(answers.get(subtype))])),
      interruptReceipt: hasReceipt(answers.get("interrupt")),
    };
  } catch (cause) {
    if (cause instanceof TugtalkError) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new TugtalkError("claude_unresponsive", message, { cause });
  } finally {
    claude.kill("SIGKILL");
    await claude.exited;
  }
}

/** A CLI that starts is usable, even if it does not exit when its stdin is closed. */
async function endOf(session: Session, timeout: StepTimeout): Promise<void> {
  const shorter = { ...timeout, ms: Math.min(timeout.ms, ALL_ANSWERS_MS) };
  await within(session.ended, shorter, "end of the session").catch((error: unknown) => {
    if (timeout.signal.aborted) throw error;
  });
}

/** Only an error that calls the subtype unsupported means no. */
function isKnown(answer: Answer | undefined): boolean {
  return answer !== undefined && !/^Unsupported control request/.test(String(answer["error"]));
}

function hasReceipt(answer: Answer | undefined): boolean | undefined {
  if (answer?.["subtype"] !== "success") return undefined;
  const { response } = answer;
  return isJsonObject(response) && "still_queued" in response;
}

/** Sends initialize, then all requests at once, then the end of stdin. Request ids are subtypes. */
class Session {
  readonly answers = new Map<string, Answer>();
  readonly #claude: ClaudeProcess;
  readonly #initialized = Promise.withResolvers<Answer>();
  /** The CLI has exited. */
  readonly ended: Promise<void>;

  constructor(claude: ClaudeProcess) {
    this.#claude = claude;
    this.#send({ subtype: "initialize" });
    this.ended = this.#read().then(this.#initialized.reject);
    // A rejection after the answer to initialize has no handler.
    this.ready.catch(() => {});
  }

  /** The answer to initialize; rejects if the CLI exits before. */
  get ready(): Promise<Answer> {
    return this.#initialized.promise;
  }

  #send(request: { readonly subtype: string }): void {
    const message = { type: "control_request", request_id: request.subtype, request };
    this.#claude.writeLine(JSON.stringify(message));
  }

  async #read(): Promise<TugtalkError> {
    for await (const lines of this.#claude.lines)
      for (const line of lines) this.#onMessage(parseJson(textOf(line)));
    const { stderrTail, exitCode, signal } = await this.#claude.exited;
    return startFailure(stderrTail, signal ?? `exit code ${exitCode}`, false);
  }

  #onMessage(message: unknown): void {
    if (!isJsonObject(message) || message["type"] !== "control_response") return;
    const answer = message["response"];
    const id = isJsonObject(answer) ? answer["request_id"] : undefined;
    if (!isJsonObject(answer) || typeof id !== "string" || this.answers.has(id)) return;
    this.answers.set(id, answer);
    if (id === LAST_REQUEST) setTimeout(() => this.#claude.closeInput(), LATE_MS);
    if (id !== "initialize") return;
    this.#initialized.resolve(answer);
    for (const request of [...REQUESTS, { subtype: LAST_REQUEST }]) this.#send(request);
  }
}
