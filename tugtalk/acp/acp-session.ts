/** One ACP session: a bridge of its own, the updates for its messages, and the client's requests to it. */
import type { Unstamped } from "../src/messages/envelope.ts";
import type { ErrorMessage } from "../src/messages/error-message.ts";
import type { ProtocolInit } from "../src/messages/protocol-init.ts";
import type { RepeatedMessage } from "../src/messages/repeated-message.ts";
import type { InboundMessage, Interrupt, OutboundDraft } from "../src/types.ts";
import type { ClaudeRequest } from "./asking/first-step.ts";
import { agentsAfter, hasAgents, NO_AGENTS } from "./background-agents.ts";
import { BridgeRequests } from "./bridge-requests.ts";
import { rpcLine } from "./client-end.ts";
import { Interrupts } from "./interrupts.ts";
import { AcpError } from "./json-rpc.ts";
import type { Source } from "./kept-sessions.ts";
import { fileBefore, startFailure } from "./late-parts.ts";
import { OpenPrompts, type Reply } from "./open-prompts.ts";
import type { PromptContent, SentPrompt } from "./prompt-content.ts";
import { RepeatedLines } from "./repeated-lines.ts";
import type { Transcript } from "./send-transcript.ts";
import { SessionLoads } from "./session-loads.ts";
import type { OpenedBridge, SessionPorts } from "./session-ports.ts";
import { SessionQuestions } from "./session-questions.ts";
import { changeOf, type Settings } from "./settings.ts";
import { addressed, sessionOf } from "./updates/agent-sessions.ts";
import type { Before } from "./updates/file-diff.ts";
import { settingsStep } from "./updates/session-updates.ts";
import {
  firstState,
  type MessageOf,
  metaOf,
  type Update,
  type UpdateState,
} from "./updates/update-state.ts";
import { updatesOf } from "./updates/updates-of.ts";

type Start = Omit<ProtocolInit, "type" | "version">;

export class AcpSession {
  readonly id: string;
  /** The folder of the session, an absolute path. */
  readonly dir: string;
  readonly #ports: SessionPorts;
  readonly #opened: OpenedBridge;
  readonly #questions: SessionQuestions;
  readonly #prompts: OpenPrompts;
  readonly #requests: BridgeRequests;
  readonly #ready = Promise.withResolvers<void>();
  #state: UpdateState;
  readonly #loads = new SessionLoads();
  #agents = NO_AGENTS;
  #titleSent = Promise.resolve();
  readonly #interrupts = new Interrupts();
  /** The newest turn of a prompt. */
  #turnId = "";
  readonly #repeated = new RepeatedLines((update) => rpcLine(this.#notification(update)));
  /** Updates that wait until the client knows the session. Undefined once it does. */
  #held: Update[] | undefined = [];

  /** `resume`: a new id where it is resumed without its past. */
  constructor(id: string, dir: string, ports: SessionPorts, resume: string | undefined) {
    this.id = id;
    this.dir = dir;
    this.#ports = ports;
    this.#state = firstState(dir, ports.features, resume);
    this.#prompts = new OpenPrompts(ports.hold);
    this.#requests = new BridgeRequests(ports.newId, (message) => this.#give(message));
    this.#questions = new SessionQuestions({
      client: ports.client,
      features: ports.features,
      sessionId: id,
      dir,
      answer: (message) => this.#give(message),
      sessionOf: (asked) => this.#sessionOf(asked),
    });
    this.#opened = ports.openBridge({
      send: (message) => this.#loads.run(() => this.#take(message)),
      sendRepeated: (repeated) => this.#loads.run(() => this.#takeRepeated(repeated)),
      // Claude's output is not read on while the past is sent.
      flush: () => this.#loads.settled ?? ports.flush(),
      drained: ports.drained,
      stopListening: () => {},
    });
  }

  get settings(): Settings {
    return this.#state.settings;
  }

  /** Starts Claude. Resolves when it is ready; rejects where it does not start, or nobody is logged in. */
  start(init: Start): Promise<void> {
    this.#give({ type: "protocol_init", version: 2, ...init });
    return this.#ready.promise;
  }

  /** Sends the whole conversation. Messages that come meanwhile are sent after it. */
  sendPast(transcriptOf: (source: Source) => Transcript): Promise<void> {
    return this.#loads.during(() => this.#sendPast(transcriptOf));
  }

  async #sendPast(transcriptOf: (source: Source) => Transcript): Promise<void> {
    const { conversations } = this.#ports;
    conversations.begin();
    await conversations.settled();
    const transcript = transcriptOf(conversations.source);
    const client = { notify: (update: Update) => this.#notify(update), flush: this.#ports.flush };
    const state = await this.#loads.send(transcript, this.#state, client);
    // A setting may have been changed meanwhile.
    this.#state = { ...state, settings: this.#state.settings };
  }

  /** The client knows the session from here on. Does nothing once it does. */
  announce(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const update of held) this.#send(update);
  }

  prompt(message_id: string, content: SentPrompt, reply: Reply): void {
    this.#prompts.add(message_id, reply);
    const give = () => this.#give({ type: "user_message", message_id, ...content });
    const { settled } = this.#interrupts;
    if (settled === undefined) give();
    else void settled.then(() => this.#prompts.enter(message_id, give));
  }

  /** A turn of a prompt is open. */
  get hasPrompt(): boolean {
    return this.#prompts.isInTurn;
  }

  /** A text for the turn that is open, which has no answer of its own. */
  steer(message_id: string, content: PromptContent): void {
    this.#give({ type: "user_message", message_id, delivery: "steer", ...content });
  }

  /** Ends the open turn with the agents that it has started, and withdraws the prompts that wait. */
  cancel(): void {
    this.#prompts.cancel();
    void this.#interrupt({ cancel_queued: true });
    this.#questions.cancel();
  }

  /** A prompt that waits is given up; one whose turn has begun ends with it. */
  async withdraw(message_id: string): Promise<void> {
    this.#prompts.withdraw(message_id);
    const { ok } = await this.#requests.request({ type: "cancel_message", message_id });
    if (ok || !this.#prompts.isKept(message_id)) return;
    this.#prompts.cancel(message_id);
    await this.#interrupt();
  }

  /** Changes a setting. Rejects where Claude does not offer the value, or refuses it. */
  async set(option: string, value: string | boolean): Promise<void> {
    const { message, changed } = changeOf(this.settings, option, value);
    await this.#requests.ask(message);
    // Others may have been changed meanwhile.
    const { state, updates } = settingsStep(this.#state, { ...this.settings, ...changed });
    this.#state = state;
    for (const update of updates) this.#send(update);
  }

  /** Ends Claude. Resolves when all updates are sent, except the updates of a load. */
  async end(): Promise<void> {
    await this.#opened.bridge.end(false);
    this.#prompts.end();
    this.#opened.release();
    await Promise.all([this.#ports.conversations.settled(), this.#titleSent]);
  }

  /** Resolves when no load sends the past. */
  async loaded(): Promise<void> {
    await this.#loads.settled;
  }

  /** Ends Claude at once. */
  close(): void {
    this.#opened.bridge.close();
  }

  fault(thrown: unknown): void {
    this.#opened.bridge.fault(thrown);
  }

  /** Interrupts the open turn and its agents. An answer that is held for these comes behind their ends. */
  async #interrupt(fields: Pick<Interrupt, "cancel_queued"> = {}): Promise<void> {
    const include_background = hasAgents(this.#agents, this.#turnId);
    const stops = include_background && { include_background };
    const stopped = include_background ? this.#prompts.stopAgents() : undefined;
    const interrupt = { type: "interrupt", ...fields, ...stops } as const;
    await this.#interrupts.during(this.#requests.request(interrupt));
    stopped?.();
  }

  #give(message: InboundMessage): void {
    this.#opened.bridge.receive({ message });
  }

  #take(message: OutboundDraft): void {
    const before = fileBefore(this.#state.dir, message);
    if (!this.#loads.hasSent(message)) {
      const { state, updates } = updatesOf(this.#state, message, before);
      this.#state = state;
      for (const update of updates) this.#send(update);
    }
    this.#loads.take(message);
    this.#agents = agentsAfter(this.#agents, message);
    this.#settle(message, before);
    this.#prompts.watch(this.#agents);
  }

  #takeRepeated(repeated: RepeatedMessage): void {
    if (this.#loads.hasSent(repeated.message)) return;
    const { state, lines } = this.#repeated.take(this.#state, repeated);
    this.#state = state;
    this.#ports.client.writeLines(lines);
  }

  /** Keeps an update until the client knows the session. */
  #send(update: Update): void {
    if (this.#held !== undefined) this.#held.push(update);
    else this.#notify(update);
  }

  #notify(update: Update): void {
    this.#ports.client.writeLines(rpcLine(this.#notification(update)));
  }

  #notification(update: Update) {
    return { method: "session/update", params: addressed(this.#state, this.id, update) } as const;
  }

  /** Where a question is shown: with its agent, if Claude has reported that. A server asks in the whole session. */
  #sessionOf(asked: ClaudeRequest): string {
    const { type, parent_tool_use_id: parent = "" } = asked;
    const isOfAgent = type === "control_request_forward" && this.#state.tools.has(parent);
    return isOfAgent ? sessionOf(this.#state, this.id, metaOf(asked)) : this.id;
  }

  #settle(message: OutboundDraft, before: Before): void {
    switch (message.type) {
      case "session_capabilities":
        this.#settleReady(message);
        break;
      case "session_init":
        if (this.#ports.conversations.enter(message)) this.#loads.leave();
        break;
      case "turn_started":
        if (message.trigger === "user") this.#turnId = message.turn_id;
        this.#prompts.started(message);
        break;
      case "assistant_text":
        this.#prompts.said(message);
        break;
      case "process_exit":
        this.#prompts.exited();
        break;
      case "turn_complete":
      case "turn_cancelled":
        this.#settleTurn(message);
        break;
      case "message_status":
        this.#prompts.receipt(message);
        break;
      case "control_result":
        this.#requests.settle(message);
        break;
      case "error":
        this.#settleError(message);
    }
    this.#questions.handle(message, before);
  }

  #settleTurn(turn: MessageOf<"turn_complete" | "turn_cancelled">): void {
    if (turn.type === "turn_cancelled") this.#prompts.broken(turn);
    else {
      this.#ports.conversations.begin();
      if (this.#prompts.leavesAgents(turn, this.#agents)) void this.#interrupt();
      this.#prompts.completed(turn, this.#agents);
      this.#titleSent = this.#sendTitle();
    }
  }

  async #sendTitle(): Promise<void> {
    const title = await this.#ports.conversations.title();
    this.#loads.run(() => this.#take({ type: "session_title_changed", title }));
  }

  #settleReady({ login }: MessageOf<"session_capabilities">): void {
    if (login !== "none") this.#ready.resolve();
    else this.#ready.reject(new AcpError("loginNeeded", "Claude is not logged in"));
  }

  #settleError(error: Unstamped<ErrorMessage>): void {
    this.#prompts.refused(error);
    this.#requests.rejected(error);
    const failure = startFailure(error);
    if (failure !== undefined) this.#ready.reject(failure);
  }
}
