/**
 * The position in a conversation: the next entry to print, the awaited line, and the ids and lines that
 * differ from the file. Prints nothing and has no clock.
 */

import { type Fields, isJsonObject } from "../src/base/json.ts";
import type { Session } from "./claude-lines.ts";
import { type Conversation, END_OF_INPUT, type PlayedEntry } from "./conversation.ts";
import { contentBlocksOf, fieldOf, textOf } from "./json-value.ts";
import { fillIds } from "./scenario-ids.ts";
import { substitute } from "./substitutions.ts";

type NumberedEntry = PlayedEntry & { readonly line: number };

/** Plays through one conversation. Methods leave the position alone unless they are documented otherwise. */
export class Script {
  readonly #conversation: Conversation;
  readonly #session: Pick<Session, "sessionId" | "newId">;
  /** The entries with their ids filled in; short forms are written out when they are reached. */
  #entries: NumberedEntry[];
  readonly #substitutions = new Map<string, unknown>();
  readonly #replacements = new Map<NumberedEntry, Fields>();
  readonly #seenUuids = new Set<string>();
  #position = 0;

  /** The session's id replaces the first one in the conversation. */
  constructor(conversation: Conversation, session: Pick<Session, "sessionId" | "newId">) {
    this.#conversation = conversation;
    this.#session = session;
    this.#entries = fillIds(conversation.entries, session);
    const written = firstSessionId(conversation);
    if (written !== undefined) this.#substitutions.set(written, session.sessionId);
  }

  /** The entry to play or to wait for; undefined after the end of the conversation. */
  get current(): NumberedEntry | undefined {
    return this.#entries[this.#position];
  }

  /** Moves on to the next entry. */
  advance(): void {
    this.#position += 1;
  }

  /** Plays `entries` in place of the current one. */
  replaceCurrent(entries: readonly PlayedEntry[]): void {
    const { line = 0 } = this.current ?? {};
    const numbered = entries.map((entry) => ({ ...entry, line }));
    this.#entries.splice(this.#position, 1, ...numbered);
  }

  /** Takes out the prompt `line`, which is the current entry, and its awaited answer. */
  skipPrompt(line: Fields): void {
    const { request, request_id: requestId } = line;
    if (isJsonObject(request)) this.learnAnswer(request, undefined);
    this.#entries.splice(this.#position, 1);
    this.#entries = this.#entries.filter(
      ({ dir, msg }, at) =>
        at < this.#position || dir !== "in" || textOf(msg, "response", "request_id") !== requestId,
    );
  }

  /**
   * Takes out the entries between the current one and the answer of the API: silence, and failed attempts.
   */
  takeAttempts(): readonly PlayedEntry[] {
    const start = this.#position + 1;
    const answer = this.#entries.findIndex((entry, at) => at >= start && !isAttempt(entry));
    return this.#entries.splice(start, (answer < 0 ? this.#entries.length : answer) - start);
  }

  /** Begins anew, with other ids. */
  restart(): void {
    this.#entries = fillIds(this.#conversation.entries, this.#session);
    this.#replacements.clear();
    this.#position = 0;
  }

  /** The line to print for the current `out` entry, given its object. */
  render(line: Fields): Fields {
    const replacement = this.current && this.#replacements.get(this.current);
    return replacement ?? substitute(line, this.#substitutions);
  }

  /** Whether the next `in` that none of `held` satisfies waits for `received`. */
  isWaitingFor(received: unknown, held: readonly unknown[]): boolean {
    const next = this.#nextUnsatisfied(held);
    return next !== undefined && this.#accepts(next, received);
  }

  /** The index in `held` of the line that the current entry waits for; -1 if it is missing. */
  findAwaited(held: readonly unknown[]): number {
    const entry = this.current;
    if (entry?.dir !== "in") return -1;
    return held.findIndex((received) => this.#accepts(entry, received));
  }

  /** Accepts `received` for the current `in`, learns the host's ids from it, and moves on. */
  accept(received: unknown): unknown {
    const pattern = this.current?.msg;
    this.advance();
    if (isJsonObject(pattern) && isJsonObject(received)) this.#learn(pattern, received);
    return pattern;
  }

  /** Moves to the next `in` that fits `received`, a user message. False: there is none. */
  seekUser(received: Fields): boolean {
    return this.#seek((entry) => isUserEntry(entry) && this.#accepts(entry, received));
  }

  /** Moves to the next user message, past the remaining lines of an aborted turn. */
  skipTurn(): void {
    if (!this.#seek(isUserEntry)) this.#position = this.#entries.length;
  }

  /** Moves past the end of stdin if no user message is expected before it. False: it is not next. */
  seekEndOfInput(): boolean {
    const rest = this.#rest();
    const end = rest.findIndex(isEndEntry);
    if (end < 0 || rest.slice(0, end).some(isUserEntry)) return false;
    this.#position += end + 1;
    return true;
  }

  /** Learns the values of `$input` and `$answers` from the host's answer to a prompt. */
  learnAnswer(request: Fields, answer: unknown): void {
    const input = fieldOf(answer, "updatedInput") ?? request["input"];
    this.#substitutions.set("$input", input);
    this.#substitutions.set("$answers", formatAnswers(fieldOf(input, "answers")));
  }

  /** The object for the tool's result, if it is still to be printed. */
  findToolResult(toolUseId: string): Fields | undefined {
    return messageOf(this.#findToolResultEntry(toolUseId));
  }

  /** Prints `line` in place of the tool's result, without the reports of the tool's run. */
  replaceToolResult(toolUseId: string, line: Fields): void {
    const result = this.#findToolResultEntry(toolUseId);
    if (result === undefined) return;
    this.#replacements.set(result, line);
    const at = this.#entries.indexOf(result);
    this.#entries = this.#entries.filter(
      (entry, index) => index < this.#position || index > at || !isReport(entry),
    );
  }

  /** Prints the host's own answer in the place of its echo. False: the conversation has none. */
  replaceEcho(requestId: string, answer: Fields): boolean {
    const echo = this.#findOut(
      (line) =>
        line["type"] === "control_response" && textOf(line, "response", "request_id") === requestId,
    );
    this.#replace(echo, answer);
    return echo !== undefined;
  }

  #accepts(entry: PlayedEntry, received: unknown): boolean {
    if (!isMatch(entry.msg, received)) return false;
    const uuid = textOf(received, "uuid");
    // The script answers a repeated uuid only if the conversation repeats one as well (§2a).
    const isRepeat = uuid !== undefined && this.#seenUuids.has(uuid);
    return !isRepeat || this.#substitutions.has(textOf(entry.msg, "uuid") ?? "");
  }

  #nextUnsatisfied(held: readonly unknown[]) {
    const unused = [...held];
    return this.#rest().find((entry) => {
      if (entry.dir !== "in") return false;
      const used = unused.findIndex((received) => this.#accepts(entry, received));
      if (used >= 0) unused.splice(used, 1);
      return used < 0;
    });
  }

  #learn(pattern: Fields, received: Fields): void {
    const key = pattern["type"] === "user" ? "uuid" : "request_id";
    const [written, actual] = [textOf(pattern, key), textOf(received, key)];
    if (written !== undefined) this.#substitutions.set(written, actual ?? written);
    if (pattern["type"] !== "user") return;
    if (actual !== undefined) this.#seenUuids.add(actual);
    this.#substitutions.set("$uuid", actual ?? this.#session.newId());
    this.#substitutions.set("$content", fieldOf(received, "message", "content"));
    this.#learnReplay(pattern, received);
  }

  /** The echo of a message in a capture gets the uuid and the content of the received message. */
  #learnReplay(pattern: Fields, received: Fields): void {
    const content = fieldOf(pattern, "message", "content");
    const entry = this.#findOut(
      (line) =>
        line["isReplay"] === true && Bun.deepEquals(fieldOf(line, "message", "content"), content),
    );
    const replay = messageOf(entry);
    if (replay === undefined) return;
    const uuid = received["uuid"] === undefined ? {} : { uuid: received["uuid"] };
    const line = substitute(replay, this.#substitutions);
    this.#replace(entry, { ...line, message: received["message"], ...uuid });
  }

  #findToolResultEntry(toolUseId: string): NumberedEntry | undefined {
    return this.#findOut(
      (line) =>
        line["type"] === "user" &&
        contentBlocksOf(line).some((block) => block["tool_use_id"] === toolUseId),
    );
  }

  #findOut(isWanted: (line: Fields) => boolean): NumberedEntry | undefined {
    return this.#rest().find(
      (entry) => entry.dir === "out" && isJsonObject(entry.msg) && isWanted(entry.msg),
    );
  }

  #replace(entry: NumberedEntry | undefined, line: Fields): void {
    if (entry !== undefined) this.#replacements.set(entry, line);
  }

  #seek(isWanted: (entry: PlayedEntry) => boolean): boolean {
    const found = this.#rest().findIndex(isWanted);
    if (found >= 0) this.#position += found;
    return found >= 0;
  }

  #rest() {
    return this.#entries.slice(this.#position);
  }
}

/** Compares the kind alone, so that a capture can be played to another host. */
function isMatch(pattern: unknown, received: unknown): boolean {
  if (!isJsonObject(pattern) || !isJsonObject(received)) return Bun.deepEquals(pattern, received);
  return kindOf(pattern) === kindOf(received);
}

function kindOf(message: Fields): string {
  const { type } = message;
  if (type === "control_request") return `${type} ${textOf(message, "request", "subtype")}`;
  if (type === "control_response") return `${type} ${textOf(message, "response", "request_id")}`;
  return String(type);
}

function isAttempt({ dir, msg }: NumberedEntry): boolean {
  return dir === "pause" || ["api_retry", "model_fallback"].includes(textOf(msg, "subtype") ?? "");
}

/** The CLI's reports about a tool while it runs. */
function isReport(entry: NumberedEntry): boolean {
  return (
    entry.dir === "out" && ["system", "tool_progress"].includes(textOf(entry.msg, "type") ?? "")
  );
}

function messageOf(entry: NumberedEntry | undefined): Fields | undefined {
  const message = entry?.msg;
  return entry?.dir === "out" && isJsonObject(message) ? message : undefined;
}

/** The session id of a conversation's recording, if it has one. */
export function firstSessionId(conversation: Conversation): string | undefined {
  for (const entry of conversation.entries) {
    const id = entry.dir === "out" ? textOf(entry.msg, "session_id") : undefined;
    if (id !== undefined) return id;
  }
  return undefined;
}

/** The first MCP servers in a conversation. */
export function firstMcpServers(conversation: Conversation): readonly Fields[] {
  const lists = conversation.entries.map(({ msg }) => fieldOf(msg, "mcp_servers"));
  const first = lists.find((list) => Array.isArray(list) && list.length > 0);
  return Array.isArray(first) ? first.filter(isJsonObject) : [];
}

/** The text with which V330 reports a filled form (§5d). */
function formatAnswers(answers: unknown): string {
  if (!isJsonObject(answers)) return "The user did not answer the questions.";
  const said = Object.entries(answers).map(([question, answer]) => `"${question}"="${answer}"`);
  return `Your questions have been answered: ${said.join(", ")}. You can now continue with these answers in mind.`;
}

function isUserEntry(entry: PlayedEntry): boolean {
  return entry.dir === "in" && textOf(entry.msg, "type") === "user";
}

function isEndEntry(entry: PlayedEntry): boolean {
  return entry.dir === "in" && entry.msg === END_OF_INPUT;
}
