/** What we ask of one Claude, from the line that asks to the answer or to the end of the process. */
import type { Clock } from "../base/clock.ts";
import { MAX_LINE_BYTES } from "../base/lines.ts";
import { type ControlRequestBody, generateRequestId, sendControlRequest } from "../control.ts";
import type { ControlResponse } from "../protocol-types.ts";
import type { ClaudeProcess } from "./claude-process-port.ts";
import { isToolOf } from "./mcp-tool-name.ts";
import { PendingRequests, type Settlement } from "./pending.ts";

/** The inner part of Claude's answer to a request of ours. */
export type Answer = ControlResponse["response"];

/** How much Claude may leave unread before requests are refused, in characters: the longest line. */
const MAX_BUFFERED_CHARS = MAX_LINE_BYTES;

export class ClaudeRequests {
  readonly #claude: ClaudeProcess;
  readonly #newId: () => string;
  readonly #pending: PendingRequests<Answer>;
  /** The MCP tools that the host has called and that are not through. */
  readonly #toolCalls = new Map<string, string>();
  readonly #onToolCallEnd: (id: string) => void;

  constructor(
    claude: ClaudeProcess,
    { clock, newId }: { readonly clock: Clock; readonly newId: () => string },
    onToolCallEnd: (id: string) => void,
  ) {
    this.#claude = claude;
    this.#newId = newId;
    this.#pending = new PendingRequests(clock);
    this.#onToolCallEnd = onToolCallEnd;
  }

  /** Asks for something; `settle` is called once, in its place among Claude's lines. */
  ask(
    body: ControlRequestBody,
    timeoutMs: number,
    settle: (end: Settlement<Answer>) => void = () => {},
  ): void {
    const id = generateRequestId(this.#newId);
    if (body.subtype === "mcp_call") this.#toolCalls.set(id, String(body["tool"]));
    this.#pending.open(id, timeoutMs, (end) => {
      if (this.#toolCalls.delete(id)) this.#onToolCallEnd(id);
      settle(end);
    });
    sendControlRequest(this.#claude, id, body);
  }

  /** The requests that call tools of this MCP server and are not through. */
  openToolCalls(server: string): readonly string[] {
    return [...this.#toolCalls].flatMap(([id, tool]) => (isToolOf(server, tool) ? [id] : []));
  }

  /** Takes an answer of Claude's. One to a request that is not ours is the echo of an answer of ours. */
  answer({ response }: ControlResponse): void {
    if (response.request_id !== undefined) this.#pending.answer(response.request_id, response);
  }

  /** Claude is gone: no answer can come. */
  failAll(error: string): void {
    this.#pending.failAll(error);
  }

  /** How many wait for an answer. */
  get openCount(): number {
    return this.#pending.size;
  }

  /** Claude does not read what it is sent, and has been sent enough. */
  get isBackpressured(): boolean {
    return this.#claude.bufferedChars() > MAX_BUFFERED_CHARS;
  }
}
