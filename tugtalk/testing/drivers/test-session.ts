/**
 * A session with a fake Claude behind it and an array in front of it, for tests. A test sends messages
 * of the host and lines of Claude, and reads the lines that each of them receives.
 */
import { expect, onTestFinished } from "bun:test";
import type { Fields } from "../../src/base/json.ts";
import type { ClaudeExit } from "../../src/claude/claude-process-port.ts";
import type { ControlMessage } from "../../src/messages/control-messages.ts";
import type { ProtocolInit } from "../../src/messages/protocol-init.ts";
import type { UserMessageInput } from "../../src/messages/user-messages.ts";
import type { SessionManager } from "../../src/session.ts";
import type {
  Interrupt,
  PermissionModeMessage,
  QuestionAnswer,
  SessionCommand,
  ToolApproval,
} from "../../src/types.ts";
import { observe } from "../observer/observer.ts";
import { settlePromises } from "./fake-claude.ts";
import { type Emitted, SessionRecords, type TestSessionOptions } from "./session-records.ts";

/** The answer to `protocol_init`, which the process sends and not the session. */
export const ACK: Fields = {
  type: "protocol_ack",
  ipc_version: 2,
  seq: 1,
  version: 2,
  instance_id: "00000000-0000-4000-8000-000000000000",
  tugtalk_version: "0.0.0",
  capabilities: { inbound: [] },
};

/** The fields of a message of the host, without its type. */
type Sent<Message> = Partial<Omit<Message, "type">>;

/** A request of the bridge to Claude. */
type Requested = { readonly request_id: string } & Fields;

export class TestSession extends SessionRecords {
  readonly session: SessionManager;

  constructor(options: TestSessionOptions) {
    super();
    this.session = this.open(options);
  }

  /** The arguments of the newest start, without the arguments of every start. */
  get flags(): readonly string[] | undefined {
    return this.starts.at(-1)?.slice(6);
  }

  get id(): string {
    return this.session.sessionId ?? "no conversation";
  }

  /** The newest message to the host. */
  get last(): Emitted | undefined {
    return this.emitted.at(-1);
  }

  /** Each `state` of `session_state`. */
  get states(): readonly unknown[] {
    return this.of("session_state").map(({ state }) => state);
  }

  get state(): unknown {
    return this.states.at(-1);
  }

  /** The id of the newest turn. */
  get turnId(): unknown {
    return this.of("turn_started").at(-1)?.["turn_id"];
  }

  /** The receipts of one message, or of all, as words: the status, whether it was merged, the reason. */
  receipts(id?: string): readonly string[] {
    return this.of("message_status")
      .filter(({ message_id }) => id === undefined || message_id === id)
      .map(({ status, merged, reason }) =>
        [status, merged && "merged", reason].filter(Boolean).join(" "),
      );
  }

  /** The emitted messages of these types, in order. */
  of(...types: readonly Emitted["type"][]): readonly Emitted[] {
    return this.emitted.filter(({ type }) => types.includes(type));
  }

  /** The messages emitted during an action, or for a line of Claude. */
  async emittedBy(act: (() => unknown) | Fields): Promise<readonly Emitted[]> {
    const before = this.emitted.length;
    await this.#run(act);
    return this.emitted.slice(before);
  }

  /** The lines written to Claude during an action, or for a line of Claude. */
  async writtenBy(act: (() => unknown) | Fields): Promise<readonly Fields[]> {
    const { writes } = this.claude();
    const before = writes.length;
    await this.#run(act);
    return writes.slice(before);
  }

  async #run(act: (() => unknown) | Fields): Promise<void> {
    await (typeof act === "function" ? act() : this.say(act));
    await this.settle();
  }

  /** The next message to the host, or the next of this type, throws: stands for any internal error. */
  failNextEmit(type: Emitted["type"] | "any" = "any"): void {
    this.failing = type;
  }

  /** Drops the messages so far; for benchmarks. */
  forget(): void {
    this.emitted.length = 0;
    this.claude().forget();
  }

  /** Waits until starts and ends in progress are done. */
  settle(): Promise<void> {
    return settlePromises();
  }

  // The host.

  message(text: string, fields: Sent<UserMessageInput> = {}): void {
    this.session.handleUserMessage({ type: "user_message", text, ...fields });
  }

  approve(fields: Sent<ToolApproval> = {}): void {
    const allow = { request_id: "r", decision: "allow" } as const;
    this.session.handleToolApproval({ type: "tool_approval", ...allow, ...fields });
  }

  answer(fields: Sent<QuestionAnswer> = {}): void {
    const none = { request_id: "r", answers: {} };
    this.session.handleQuestionAnswer({ type: "question_answer", ...none, ...fields });
  }

  /** Accepts an elicitation. */
  accept(request_id = "e", content?: Fields): void {
    const accepted = { request_id, action: "accept", ...(content && { content }) } as const;
    this.session.handleQuestionAnswer({ type: "elicitation_answer", ...accepted });
  }

  interrupt(fields: Sent<Interrupt> = {}): void {
    this.session.handleInterrupt({ type: "interrupt", ...fields });
  }

  control(subtype: string, fields: Fields = {}): void {
    this.session.handleControl({ type: "control", subtype, ...fields } as ControlMessage);
  }

  chooseMode(mode: PermissionModeMessage["mode"], id?: string): void {
    this.session.handlePermissionMode({ type: "permission_mode", mode, ...(id && { id }) });
  }

  chooseModel(model: string | null, id?: string): void {
    this.session.handleModelChange({ type: "model_change", model, ...(id && { id }) });
  }

  command(command: SessionCommand["command"], fields: Sent<SessionCommand> = {}): void {
    this.session.handleSessionCommand({ type: "session_command", command, ...fields });
  }

  /** The host changes the conversation, and the process of the old one exits. */
  async change(
    command: SessionCommand["command"],
    fields: Sent<SessionCommand> = {},
  ): Promise<void> {
    this.command(command, fields);
    await this.settle();
    await this.exit();
  }

  // Claude.

  /** The newest line that was written to Claude. */
  get lastWrite(): Fields | undefined {
    return this.claude().writes.at(-1);
  }

  /** The texts of the user messages that the newest Claude was sent. */
  get sentTexts(): readonly unknown[] {
    const messages = this.claude().writes.filter(({ type }) => type === "user");
    return messages.map(
      ({ message }) => (message as { content: readonly Fields[] }).content[0]?.["text"],
    );
  }

  /** The newest request of the bridge with this subtype. */
  requestOf(subtype: string): Requested {
    const requests = this.requestsOf(subtype);
    if (requests.length === 0) throw new Error(`no ${subtype} was requested`);
    return requests.at(-1) as Requested;
  }

  requestsOf(subtype: string): readonly Fields[] {
    return this.claude().writes.filter(
      ({ request }) => (request as Fields | undefined)?.["subtype"] === subtype,
    );
  }

  /** Claude prints these lines. */
  async say(...lines: readonly Fields[]): Promise<void> {
    for (const line of lines) await this.claude().say(line);
  }

  /** Claude answers the newest request of this subtype. */
  answerTo(subtype: string, answer: Fields = {}): Promise<void> {
    const { request_id } = this.requestOf(subtype);
    const response = { subtype: "success", request_id, ...answer };
    return this.say({ type: "control_response", response });
  }

  initialize(response: Fields = {}): Promise<void> {
    return this.answerTo("initialize", { response });
  }

  async exit(how?: Partial<ClaudeExit>): Promise<void> {
    await this.claude().exit(how);
    await this.settle();
  }

  crash(): Promise<void> {
    return this.exit({ exitCode: null, signal: "SIGKILL" });
  }

  /** The host sends a message when no process runs, and the next one becomes ready. */
  async restart(text = "go on", fields: Sent<UserMessageInput> = {}): Promise<void> {
    this.message(text, fields);
    await this.settle();
    await this.initialize();
  }

  /** Whether the emitted messages keep every guarantee. */
  check(): void {
    const isOver = this.state === "exited";
    expect(observe({ received: [ACK, ...this.emitted], isOver })).toEqual([]);
  }
}

/** Starts a session; by default Claude has answered `initialize` when it resolves. */
export async function openSession(options: TestSessionOptions = {}): Promise<TestSession> {
  const session = new TestSession(options);
  const init: ProtocolInit = { type: "protocol_init", version: 2, ...options.init };
  session.session.configure(init);
  session.session.start(init);
  await settlePromises();
  if (options.isReady !== false) await session.initialize();
  return session;
}

/** The same, for one test, at whose end the emitted messages must keep every guarantee. */
export async function startSession(options: TestSessionOptions = {}): Promise<TestSession> {
  const session = await openSession(options);
  onTestFinished(() => session.check());
  return session;
}
