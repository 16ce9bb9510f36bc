/**
 * One row of the comparison: the steps of a client, the replies of the model, and claims about the updates.
 */

import type { IsolatedHome } from "../../simulator/isolated-home.ts";
import type { MessagesApi } from "../../simulator/messages-api.ts";
import type { ScriptEntry } from "../../simulator/reply-script.ts";
import type { Fields } from "../../src/base/json.ts";
import type { AcpClient, AcpFrame, Answering } from "../drivers/acp-client.ts";

/** A condition on the frames, and its words. */
export type Claim = readonly [words: string, holds: (told: Told) => boolean];

export type Told = {
  /** From the first step on: without the opening, unless the scenario is about it. */
  readonly frames: readonly AcpFrame[];
  /** The measurements of the play. */
  readonly notes: readonly string[];
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
  readonly answering?: Answering;
  /** The agent is not asked for a session before the play. */
  readonly isUnopened?: true;
  /** The first agent is the other one in both columns; `restart` starts the compared agent. */
  readonly isBegunWithTheirs?: true;
  readonly play: (stage: Stage) => Promise<unknown>;
  readonly claims: readonly Claim[];
};

/** An agent that has not ended by then is killed. */
export const END_MS = 5000;

/** Starts the agent in a place. */
export type StartAgent = (place: Place, env: Readonly<Record<string, string>>) => AcpClient;

/** The agent of the first steps, and the agent that a restart starts. */
type StageAgents = { readonly first: StartAgent; readonly compared: StartAgent };

export class Stage {
  readonly place: Place;
  client: AcpClient;
  sessionId = "";
  readonly #start: StartAgent;
  readonly #capabilities: Fields;
  readonly #env: Readonly<Record<string, string>>;
  readonly #notes: string[] = [];
  #marked = 0;
  #before: readonly AcpFrame[] = [];

  constructor(place: Place, agents: StageAgents, { capabilities = {}, env = {} }: Scenario) {
    this.place = place;
    this.#start = agents.compared;
    this.#capabilities = capabilities;
    this.#env = env;
    this.client = agents.first(place, env);
  }

  /** The frames since the mark, also of an agent that a restart has replaced. */
  get told(): Told {
    const frames = [...this.#before, ...this.client.received.slice(this.#marked)];
    return { frames, notes: this.#notes, place: this.place };
  }

  /** Adds a measurement to the row. */
  note(words: string): void {
    this.#notes.push(words);
  }

  /** Leaves the frames so far out of the row. */
  mark(): void {
    this.#before = [];
    this.#marked = this.client.received.length;
  }

  initialize(): Promise<AcpFrame> {
    return this.client.initialize(this.#capabilities);
  }

  async open(fields: Fields = {}): Promise<void> {
    this.sessionId = await this.client.open(this.place.home.project, fields);
  }

  /** Ends this agent; another one takes its place. */
  async restart(): Promise<void> {
    this.#before = this.told.frames;
    const { answering } = this.client;
    await this.client.end(END_MS);
    this.client = this.#start(this.place, this.#env);
    this.client.answering = answering;
    await this.initialize();
    this.#marked = this.client.received.length;
  }

  /** Asks with the id of the session, and its folder where a method needs one. */
  ask(method: string, fields: Fields = {}): Promise<AcpFrame> {
    return this.client.ask(method, { sessionId: this.sessionId, ...fields });
  }

  /** Prompts with a text or with blocks. */
  prompt(content: string | readonly Fields[]): Promise<AcpFrame> {
    const prompt = typeof content === "string" ? [{ type: "text", text: content }] : content;
    return this.ask("session/prompt", { prompt });
  }

  load(method: "session/load" | "session/resume"): Promise<AcpFrame> {
    return this.ask(method, { cwd: this.place.home.project, mcpServers: [] });
  }

  cancel(): void {
    this.client.send({ method: "session/cancel", params: { sessionId: this.sessionId } });
  }

  /** The next update that has this text. */
  heard(text: string): Promise<AcpFrame> {
    return this.client.next((frame) => JSON.stringify(frame).includes(text));
  }
}
