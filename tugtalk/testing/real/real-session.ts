/**
 * Bridge processes with a real `claude`, the scripted Messages API and a temporary home, driven over their
 * pipes only. Every wait may name fields that the message must have.
 */
import { expect } from "bun:test";
import { createIsolatedHome, type IsolatedHome } from "../../simulator/isolated-home.ts";
import type { MeasuredVersion } from "../../simulator/measured-versions.ts";
import { type MessagesApi, startMessagesApi } from "../../simulator/messages-api.ts";
import type { ScriptEntry } from "../../simulator/reply-script.ts";
import type { Fields } from "../../src/base/json.ts";
import { isRunning } from "../../src/base/processes.ts";
import {
  type Received,
  startBridge,
  type TestBridge,
  UNDER_TEST,
} from "../drivers/bridge-process.ts";
import { leftAfter, signalIfRunning } from "../drivers/processes.ts";
import { observe } from "../observer/observer.ts";
import { isTurnEnd } from "../observer/observer-turns.ts";
import { claudePath } from "./installed-claude.ts";
import { quickStart } from "./quick-start.ts";
import { EXPECTED, type Expected } from "./real-expected.ts";
import { holdReply } from "./real-replies.ts";

type Message = Fields & { readonly type: string };

/** All messages from a `say` to the end of its turn. */
type RealTurn = { readonly end: Received; readonly messages: readonly Received[] };

/** Opens a home for this version of `claude`, which is installed once. */
export async function openRealPlace(version: MeasuredVersion): Promise<RealPlace> {
  const claude = await claudePath(version);
  const home = await createIsolatedHome();
  const quick = await quickStart(claude, home);
  const environment = (apiUrl: string) => ({ ...home.environment(apiUrl), ...quick });
  return new RealPlace(version, claude, { ...home, environment });
}

/** A home, a project and an API for one or more bridges. */
export class RealPlace {
  readonly version: MeasuredVersion;
  readonly claude: string;
  readonly home: IsolatedHome;
  readonly api: MessagesApi = startMessagesApi();
  readonly #sessions: RealSession[] = [];

  constructor(version: MeasuredVersion, claude: string, home: IsolatedHome) {
    this.version = version;
    this.claude = claude;
    this.home = home;
  }

  /** How this version differs from the others. */
  get expected(): Expected {
    return EXPECTED[this.version];
  }

  /** Starts a bridge, with further arguments, and sends its `protocol_init`. */
  start(init: Fields = {}, args: readonly string[] = []): RealSession {
    const session = this.startSilent([`--dir=${this.home.project}`, ...args]);
    session.send({ type: "protocol_init", version: 2, ...init });
    return session;
  }

  /** Starts a bridge and sends it nothing. `command` may name another one. */
  startSilent(args: readonly string[] = [], command: readonly string[] = UNDER_TEST): RealSession {
    const env = this.home.environment(this.api.url);
    const { claude, home } = this;
    const session = new RealSession(
      this,
      startBridge({ claude, args, env, command, isIsolated: true, cwd: home.root }),
    );
    this.#sessions.push(session);
    return session;
  }

  /** Starts a session and waits until it is ready. */
  async open(init: Fields = {}, expected: object = {}): Promise<RealSession> {
    const session = this.start(init);
    await session.next("session_init", expected);
    return session;
  }

  /** Ends every session that a test has left open. */
  async endSessions(): Promise<void> {
    for (const session of this.#sessions) if (!session.isOver) await session.end();
  }

  /** Kills every remaining process that was started here, then deletes the home. */
  async close(): Promise<void> {
    for (const { bridge } of this.#sessions) await killAll(bridge);
    await this.api.stop();
    await this.home.remove();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

async function killAll(bridge: TestBridge): Promise<void> {
  bridge.kill();
  await bridge.exited;
  const ended = new Set(ofType(bridge.received, "process_exit").map(({ pid }) => pid));
  for (const pid of startedProcesses(bridge)) if (!ended.has(pid)) signalIfRunning(pid, "SIGKILL");
}

/** The process ids of every Claude that the bridge has reported. */
function startedProcesses({ received }: TestBridge): number[] {
  return ofType(received, "process_started").map(({ pid }) => Number(pid));
}

/** One bridge, and the steps of its host. */
export class RealSession {
  readonly place: RealPlace;
  readonly bridge: TestBridge;
  isOver = false;
  #sent = 0;
  #saidAt = 0;

  constructor(place: RealPlace, bridge: TestBridge) {
    this.place = place;
    this.bridge = bridge;
  }

  /** The id of the current conversation. */
  get id(): string {
    return String(this.all("session_init").at(-1)?.["session_id"]);
  }

  get processes(): readonly number[] {
    return startedProcesses(this.bridge);
  }

  /** The messages of one type so far. */
  all(type: string): Received[] {
    return ofType(this.bridge.received, type);
  }

  /** Sends a message with an `id` of its own, which it returns. */
  send(message: Message): string {
    this.#sent += 1;
    const id = `host-${this.#sent}`;
    this.bridge.send({ id, ...message });
    return id;
  }

  /** Sends a message; resolves to its answer. */
  ask(message: Message, expected: object = { ok: true }): Promise<Received> {
    const id = this.send(message);
    return this.next(({ in_reply_to }) => in_reply_to === id, expected);
  }

  /** Sends a control request; resolves to its answer. */
  control(subtype: string, fields: Fields = {}): Promise<Received> {
    return this.ask({ type: "control", subtype, ...fields });
  }

  /** Sends a session command; resolves to the `session_init` of the conversation. */
  command(command: string, fields: Fields = {}, expected: object = {}): Promise<Received> {
    this.send({ type: "session_command", command, ...fields });
    return this.next("session_init", expected);
  }

  /** Waits until an MCP server is connected. 2.1.197 begins turns without it; others may wait in a turn. */
  async untilConnected(): Promise<void> {
    const isConnected = (answer: Received) => JSON.stringify(answer).includes('"connected"');
    while (!isConnected(await this.control("mcp_status"))) await Bun.sleep(10);
  }

  /** Scripts the replies of the API and sends a user message; returns the `message_id`. */
  say(text: string, ...script: ScriptEntry[]): string {
    return this.post({ text }, ...script);
  }

  /** The same for a message with more fields than its text. */
  post(fields: Fields, ...script: ScriptEntry[]): string {
    this.place.api.script(...script);
    this.#saidAt = this.bridge.received.length;
    const message_id = crypto.randomUUID();
    this.send({ type: "user_message", message_id, ...fields });
    return message_id;
  }

  /** Steers messages into a turn; resolves to their ids when Claude has read them. */
  async steer(...texts: readonly string[]): Promise<string[]> {
    const ids = texts.map((text) => {
      const message_id = crypto.randomUUID();
      this.send({ type: "user_message", text, message_id, delivery: "steer" });
      return message_id;
    });
    // Claude reads in order: the answer to a later line shows that it has the earlier ones.
    await this.ask({ type: "permission_mode", mode: "default" });
    return ids;
  }

  /** The next message that fits. */
  async next(
    fits: string | ((message: Received) => boolean),
    expected: object = {},
  ): Promise<Received> {
    const message = await this.bridge.next(fits);
    expect(message).toMatchObject(expected);
    return message;
  }

  /** The next permission, question or form. */
  prompt(expected: object = {}): Promise<Received> {
    return this.next(isPrompt, expected);
  }

  /** Allows the call of a prompt. */
  allow({ request_id }: Received, fields: Fields = {}): string {
    return this.send({ type: "tool_approval", request_id, decision: "allow", ...fields });
  }

  /**
   * The end of the current turn, with all messages since the last `say`. A text means a success with this
   * text.
   */
  async turn(expected: string | object = { result: "success" }): Promise<RealTurn> {
    const wanted = typeof expected === "string" ? { result: "success", text: expected } : expected;
    const end = await this.next(isTurnEnd, wanted);
    const { received } = this.bridge;
    return { end, messages: received.slice(this.#saidAt, received.indexOf(end) + 1) };
  }

  /** Has a turn that succeeds, and waits until its reply is on disk: 2.1.38 may lose it at its end. */
  async exchange(text: string, reply: string): Promise<RealTurn & { readonly id: string }> {
    const id = this.say(text, reply);
    const turn = await this.turn(reply);
    await this.untilWritten(reply);
    return { id, ...turn };
  }

  /** Begins a turn whose text stops after `begun` until it is released; further replies come after it. */
  async hold(text = "tell", ...script: ScriptEntry[]) {
    const { reply, release } = holdReply("begun", " and ended");
    const id = this.say(text, reply, ...script);
    await this.begun("begun");
    return { id, release };
  }

  /** The first piece of a text. */
  begun(piece: string): Promise<Received> {
    return this.next(({ text, status }) => text === piece && status === "partial");
  }

  /**
   * Waits until the current conversation is on disk up to this text. A CLI that is killed earlier
   * loses the text, and the whole conversation if it is new.
   */
  async untilWritten(text: string): Promise<void> {
    const wanted = JSON.stringify(text).slice(1, -1);
    const history = { type: "session_history", session_id: this.id };
    while (!JSON.stringify(await this.ask(history, {})).includes(wanted)) await Bun.sleep(10);
  }

  /** Kills the current Claude; returns the messages up to its exit. */
  async kill(expected: object = { will_restart: true }): Promise<Received[]> {
    const { received } = this.bridge;
    const before = received.length;
    const pid = this.processes.at(-1);
    if (pid === undefined) throw new Error("no Claude was started");
    process.kill(pid, "SIGKILL");
    const killed = { pid, exit_code: null, signal: "SIGKILL", expected: false, ...expected };
    const exit = await this.next("process_exit", killed);
    // An orphan in its group ends with the signal, which takes a moment.
    expect(await leftAfter([-pid], 10_000)).toEqual([]);
    return received.slice(before, received.indexOf(exit) + 1);
  }

  /** Closes stdin. Expects that `processes` Claudes were started, and that nothing is left. */
  async end(processes = 1): Promise<void> {
    this.bridge.closeInput();
    await this.ended(processes);
  }

  /** Waits for the end; no process is left, every guarantee was kept and every line known. */
  async ended(processes = 1, exitCode = 0): Promise<void> {
    this.isOver = true;
    const { received, sentIds, exited, pid } = this.bridge;
    expect(await exited).toBe(exitCode);
    expect(this.processes).toHaveLength(processes);
    expect([...this.processes, pid].filter(isRunning)).toEqual([]);
    expect(observe({ received, sentIds, isOver: true })).toEqual([]);
    expect(this.all("unknown_event")).toEqual([]);
  }
}

const PROMPTS = ["control_request_forward", "elicitation_request"];
const isPrompt = ({ type }: Received) => PROMPTS.includes(type);

/** The messages of one type. */
export function ofType(messages: readonly Received[], type: string): Received[] {
  return messages.filter((message) => message.type === type);
}

/** The texts of the user's side that are of one kind. */
export function userTexts(messages: readonly Received[], wanted: string): unknown[] {
  return ofType(messages, "user_text").flatMap(({ kind, text }) => (kind === wanted ? [text] : []));
}
