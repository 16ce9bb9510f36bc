/** Control requests to one Claude process, until each is answered or the process exits. */
import type { Clock } from "../base/clock.ts";
import { MAX_LINE_BYTES } from "../base/lines.ts";
import { type ControlRequestBody, generateRequestId, sendControlRequest } from "../control.ts";
import type { ControlResponse } from "../protocol-types.ts";
import type { ClaudeProcess } from "./claude-process-port.ts";

/** The inner part of Claude's answer to a request of ours. */
export type Answer = ControlResponse["response"];

/** How a request ended. */
export type Settlement =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "timed_out" }
  | { readonly kind: "failed"; readonly error: string };

type Wait = {
  readonly settle: (end: Settlement) => void;
  readonly timer: unknown;
  /** The MCP tool that the host calls with it. */
  readonly tool: string | undefined;
};

export type RequestEvents = {
  /** A tool that the host has called has ended. */
  readonly onToolCallEnd: () => void;
  /** An interrupt is about to be written. */
  readonly onInterrupt: () => void;
};

/** Unread characters of stdin above which requests are refused: the longest line. */
const MAX_BUFFERED_CHARS = MAX_LINE_BYTES;

export class ClaudeRequests {
  readonly #claude: ClaudeProcess;
  readonly #clock: Clock;
  readonly #newId: () => string;
  /** Callbacks instead of promises: an answer is applied in the order of Claude's lines. */
  readonly #waiting = new Map<string, Wait>();
  readonly #events: RequestEvents;

  constructor(
    claude: ClaudeProcess,
    { clock, newId }: { readonly clock: Clock; readonly newId: () => string },
    events: RequestEvents,
  ) {
    this.#claude = claude;
    this.#clock = clock;
    this.#newId = newId;
    this.#events = events;
  }

  /** Sends a request. `settle` is called once, in the order of Claude's lines. */
  ask(
    body: ControlRequestBody,
    timeoutMs: number,
    settle: (end: Settlement) => void = () => {},
  ): void {
    if (body.subtype === "interrupt") this.#events.onInterrupt();
    const id = generateRequestId(this.#newId);
    const tool = body.subtype === "mcp_call" ? String(body["tool"]) : undefined;
    const timer = this.#clock.setTimer(() => this.#close(id, { kind: "timed_out" }), timeoutMs);
    this.#waiting.set(id, { settle, timer, tool });
    sendControlRequest(this.#claude, id, body);
  }

  /** The open requests that call a tool of this MCP server. */
  openToolCalls(server: string): readonly string[] {
    return [...this.#waiting].flatMap(([id, { tool = "" }]) =>
      isToolOf(server, tool) ? [id] : [],
    );
  }

  /** Settles a request. An unknown id is an echo of an answer that tugtalk sent. */
  answer({ response }: ControlResponse): void {
    const { request_id: id } = response;
    if (id !== undefined) this.#close(id, { kind: "answered", answer: response });
  }

  /** The process exited: no answer can come. */
  failAll(error: string): void {
    for (const id of [...this.#waiting.keys()]) this.#close(id, { kind: "failed", error });
  }

  /** The number of unanswered requests. */
  get openCount(): number {
    return this.#waiting.size;
  }

  /** Claude does not read its stdin. */
  get isBackpressured(): boolean {
    return this.#claude.bufferedChars() > MAX_BUFFERED_CHARS;
  }

  /** Looks a request up and removes it in one step, so that each ends once. */
  #close(id: string, end: Settlement): void {
    const wait = this.#waiting.get(id);
    if (wait === undefined) return;
    this.#waiting.delete(id);
    this.#clock.clearTimer(wait.timer);
    if (wait.tool !== undefined) this.#events.onToolCallEnd();
    wait.settle(end);
  }
}

/** Whether this is the full name of a tool of the MCP server: `mcp__<server>__<tool>`. */
export function isToolOf(server: string, toolName: string): boolean {
  return toolName.startsWith(`mcp__${server.replace(/[^a-zA-Z0-9_-]/g, "_")}__`);
}
