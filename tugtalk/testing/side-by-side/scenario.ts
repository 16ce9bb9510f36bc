/** One row of the comparison: what a client does, what the model says, and what must have been told. */

import type { IsolatedHome } from "../../simulator/isolated-home.ts";
import type { MessagesApi } from "../../simulator/messages-api.ts";
import type { ScriptEntry } from "../../simulator/reply-script.ts";
import { type Fields, fieldsOf } from "../../src/base/json.ts";
import type { Answer, Client, Frame } from "./client.ts";

/** A condition on the frames, and its words. */
export type Claim = readonly [words: string, holds: (told: Told) => boolean];

export type Told = {
  /** From the first step on: without the opening, unless the scenario is about it. */
  readonly frames: readonly Frame[];
  readonly place: Place;
};

export type Place = { readonly home: IsolatedHome; readonly api: MessagesApi };

export type Scenario = {
  readonly name: string;
  readonly capabilities?: Fields;
  /** Parameters of `session/new`. */
  readonly session?: (place: Place) => Fields;
  /** More environment of the agent. */
  readonly env?: Readonly<Record<string, string>>;
  /** The permission mode; otherwise `default`. */
  readonly mode?: string;
  /** The replies of the model. */
  readonly api?: (place: Place) => readonly ScriptEntry[];
  /** How the client answers; otherwise it allows once. */
  readonly answer?: Answer;
  readonly play: (stage: Stage) => Promise<unknown>;
  readonly claims: readonly Claim[];
};

/** Starts the agent in a place. */
export type StartAgent = (place: Place, env: Readonly<Record<string, string>>) => Client;

export class Stage {
  readonly place: Place;
  client: Client;
  sessionId = "";
  readonly #start: StartAgent;
  readonly #capabilities: Fields;
  readonly #env: Readonly<Record<string, string>>;
  #marked = 0;
  #before: readonly Frame[] = [];

  constructor(place: Place, start: StartAgent, { capabilities = {}, env = {} }: Scenario) {
    this.place = place;
    this.#start = start;
    this.#capabilities = capabilities;
    this.#env = env;
    this.client = start(place, env);
  }

  /** The frames since the mark, also those of an agent that another one has followed. */
  get told(): Told {
    const frames = [...this.#before, ...this.client.frames.slice(this.#marked)];
    return { frames, place: this.place };
  }

  /** Leaves the frames so far out of the row. */
  mark(): void {
    this.#before = [];
    this.#marked = this.client.frames.length;
  }

  initialize(): Promise<Frame> {
    const clientCapabilities = this.#capabilities;
    return this.client.ask("initialize", { protocolVersion: 1, clientCapabilities });
  }

  async open(fields: Fields = {}): Promise<void> {
    const cwd = this.place.home.project;
    const { result, error } = await this.client.ask("session/new", {
      cwd,
      mcpServers: [],
      ...fields,
    });
    if (error !== undefined) throw new Error(`no session: ${JSON.stringify(error)}`);
    this.sessionId = String(fieldsOf(result)["sessionId"]);
  }

  /** Ends this agent; another one takes its place. */
  async restart(): Promise<void> {
    this.#before = this.told.frames;
    const { answer } = this.client;
    await this.client.end();
    this.client = this.#start(this.place, this.#env);
    this.client.answer = answer;
    await this.initialize();
    this.#marked = this.client.frames.length;
  }

  /** Asks with the id of the session, and its folder where a method needs one. */
  ask(method: string, fields: Fields = {}): Promise<Frame> {
    return this.client.ask(method, { sessionId: this.sessionId, ...fields });
  }

  /** Prompts with a text or with blocks. */
  prompt(content: string | readonly Fields[]): Promise<Frame> {
    const prompt = typeof content === "string" ? [{ type: "text", text: content }] : content;
    return this.ask("session/prompt", { prompt });
  }

  load(method: "session/load" | "session/resume"): Promise<Frame> {
    return this.ask(method, { cwd: this.place.home.project, mcpServers: [] });
  }

  cancel(): void {
    this.client.send({ method: "session/cancel", params: { sessionId: this.sessionId } });
  }

  /** The next update that has this text. */
  heard(text: string): Promise<Frame> {
    return this.client.next((frame) => JSON.stringify(frame).includes(text));
  }
}
