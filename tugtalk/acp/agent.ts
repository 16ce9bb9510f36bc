/** The agent: answers the client's requests, and holds its sessions. */
import type { SetSessionConfigOptionResponse } from "@agentclientprotocol/sdk";
import { fieldsOf } from "../src/base/json.ts";
import { TugtalkError } from "../src/messages/errors.ts";
import type { AcpSession } from "./acp-session.ts";
import { type ClientFeatures, clientFeatures } from "./client-features.ts";
import { initializeResponse } from "./initialize-response.ts";
import { AcpError, type ClientCall, type ClientLine, type RequestId } from "./json-rpc.ts";
import { OpenSessions, type SessionsPorts } from "./open-sessions.ts";
import { promptContent } from "./prompt-content.ts";
import { paramsOf } from "./request-params.ts";
import { requestIn, SessionOrder, sessionIn } from "./session-order.ts";
import { configOptions, modeState } from "./settings.ts";

export type AgentPorts = SessionsPorts & {
  /** The command that starts this program. */
  readonly command: () => readonly string[];
  readonly logOut: () => Promise<void>;
};

/** In place of the result of a request that is answered later. */
const LATER = Symbol("later");

type Method = (params: unknown) => unknown;

export class Agent {
  readonly #ports: AgentPorts;
  readonly #sessions: OpenSessions;
  readonly #order = new SessionOrder((id) => this.#sessions.find(id) !== undefined);
  /** How to give up a request that is open, by its id. */
  readonly #open = new Map<RequestId, () => void>();
  /** Undefined before `initialize`. */
  #features: ClientFeatures | undefined;

  constructor(ports: AgentPorts) {
    this.#ports = ports;
    this.#sessions = new OpenSessions(ports);
  }

  readonly #methods: Readonly<Record<string, Method>> = {
    initialize: (params) => this.#initialize(params),
    authenticate: () => {
      throw new AcpError("invalidParams", "methodId: a login is made in a terminal");
    },
    logout: async () => {
      await this.#ports.logOut();
      return {};
    },
    "session/new": (params) => this.#newSession(params),
    "session/load": (params) => this.#loadSession(params),
    "session/resume": (params) => this.#resumeSession(params),
    "session/fork": (params) => this.#forkSession(params),
    "session/list": (params) => this.#ports.past().list(paramsOf("listSessions", params)),
    "session/close": (params) => this.#closeSession(params),
    "session/delete": (params) => this.#deleteSession(params),
    "session/set_mode": (params) => this.#setMode(params),
    "session/set_config_option": (params) => this.#setConfigOption(params),
    "_session/steering": (params) => this.#steer(params),
  };

  /** Handles one line of the client. */
  receive(line: ClientLine): void {
    if ("problem" in line) this.#refuse(line);
    else if ("answer" in line) this.#ports.client.settle(line.answer);
    else this.#order.run(line.call, () => this.#dispatch(line.call));
  }

  /** An ill-formed line that seems to be an answer fails our request, which would otherwise stay open. */
  #refuse({ id, problem, answer }: Extract<ClientLine, { problem: unknown }>): void {
    const { client } = this.#ports;
    if (answer === undefined || !client.settle(answer)) client.fail(id, problem);
  }

  /** The client's input has ended: ends every session. Resolves when every Claude is gone. */
  end(): Promise<void> {
    return this.#sessions.end();
  }

  /** Ends every Claude at once. */
  close(): void {
    this.#sessions.closeNow();
  }

  /** Reports a fault of this program to the bridge of each session. */
  fault(thrown: unknown): void {
    this.#sessions.fault(thrown);
  }

  async #dispatch(call: ClientCall): Promise<void> {
    if (call.id === undefined) this.#notified(call);
    else await this.#answer(call, call.id);
  }

  async #answer(call: ClientCall, id: RequestId): Promise<void> {
    try {
      const result = await this.#run(call, id);
      if (result === LATER) return;
      this.#ports.client.respond(id, result);
      // The client knows the session from here on.
      this.#sessions.find(sessionIn(result) ?? sessionIn(call.params) ?? "")?.announce();
    } catch (thrown) {
      const isKnown = thrown instanceof AcpError || thrown instanceof TugtalkError;
      if (!isKnown) this.#ports.onFault(`${call.method} has failed: ${thrown}`);
      this.#ports.client.fail(id, AcpError.from(thrown));
    }
  }

  #run({ method, params }: ClientCall, id: RequestId): unknown {
    if (this.#features === undefined && method !== "initialize")
      throw new AcpError("invalidRequest", "initialize comes first");
    if (method === "session/prompt") return this.#prompt(params, id);
    const run = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    if (run === undefined) throw new AcpError("methodNotFound", `unknown method: ${method}`);
    return run(params);
  }

  /** A notification has no answer. A wrong one is therefore dropped. */
  #notified({ method, params }: ClientCall): void {
    if (method === "session/cancel") {
      this.#sessions.find(sessionIn(params) ?? "")?.cancel();
    } else if (method === "$/cancel_request") {
      const id = requestIn(params);
      if (id !== undefined) this.#open.get(id)?.();
    }
  }

  #initialize(params: unknown) {
    if (this.#features !== undefined)
      throw new AcpError("invalidRequest", "initialize was sent before");
    this.#features = clientFeatures(paramsOf("initialize", params).clientCapabilities);
    return initializeResponse(this.#features, this.#ports.command);
  }

  async #newSession(params: unknown) {
    const session = await this.#sessions.begin(this.#withFeatures("newSession", params));
    return { sessionId: session.id, ...settingsOf(session) };
  }

  async #loadSession(params: unknown) {
    return settingsOf(await this.#sessions.load(this.#withFeatures("existingSession", params)));
  }

  async #resumeSession(params: unknown) {
    return settingsOf(await this.#sessions.resume(this.#withFeatures("existingSession", params)));
  }

  async #forkSession(params: unknown) {
    const session = await this.#sessions.fork(this.#withFeatures("existingSession", params));
    return { sessionId: session.id, ...settingsOf(session) };
  }

  async #closeSession(params: unknown) {
    await this.#sessions.close(paramsOf("ofSession", params).sessionId);
    return {};
  }

  async #deleteSession(params: unknown) {
    await this.#sessions.delete(paramsOf("ofSession", params).sessionId);
    return {};
  }

  #withFeatures<Name extends "newSession" | "existingSession">(name: Name, params: unknown) {
    const features = this.#features ?? clientFeatures(undefined);
    return { ...paramsOf(name, params), features };
  }

  #prompt(params: unknown, id: RequestId): typeof LATER {
    if (this.#open.has(id)) throw new AcpError("invalidRequest", "id: an open prompt has it");
    const { sessionId, prompt, _meta } = paramsOf("prompt", params);
    const session = this.#sessions.get(sessionId);
    const { client, newId } = this.#ports;
    const delivery = fieldsOf(_meta?.["tugtalk"])["delivery"] === "steer" ? "steer" : "queue";
    const content = { ...promptContent(prompt), delivery } as const;
    const messageId = newId();
    this.#open.set(id, () => void session.withdraw(messageId));
    session.prompt(messageId, content, {
      resolve: (response) => {
        this.#open.delete(id);
        client.respond(id, response);
      },
      reject: (error) => {
        this.#open.delete(id);
        client.fail(id, error);
      },
    });
    return LATER;
  }

  /** Gives the open turn a further text. Without one, the client has to prompt. */
  #steer(params: unknown) {
    const { sessionId, prompt } = paramsOf("prompt", params);
    const session = this.#sessions.get(sessionId);
    const content = promptContent(prompt);
    if (!session.hasPrompt) return { outcome: "promptRequired" };
    session.steer(this.#ports.newId(), content);
    return { outcome: "injected" };
  }

  async #setMode(params: unknown) {
    const { sessionId, modeId } = paramsOf("setMode", params);
    await this.#sessions.get(sessionId).set("mode", modeId);
    return {};
  }

  async #setConfigOption(params: unknown): Promise<SetSessionConfigOptionResponse> {
    const { sessionId, configId, value } = paramsOf("setConfigOption", params);
    const session = this.#sessions.get(sessionId);
    await session.set(configId, value);
    return { configOptions: configOptions(session.settings) };
  }
}

function settingsOf({ settings }: AcpSession) {
  return { modes: modeState(settings), configOptions: configOptions(settings) };
}
