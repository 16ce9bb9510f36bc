/** Control requests to one Claude process, until each is answered or the process exits. */
import type { Clock } from "../base/clock.ts";
import { MAX_LINE_BYTES } from "../base/lines.ts";
import { type ControlRequestBody, generateRequestId, sendControlRequest } from "../control.ts";
import type { ControlResponse } from "../protocol-types.ts";
import type { ClaudeProcess } from "./claude-process-port.ts";
import { isToolOf } from "./mcp-tool-name.ts";
import { PendingRequests, type Settlement } from "./pending.ts";

/** The inner part of Claude's answer to a request of ours. */
export type Answer = ControlResponse["response"];

/** Unread characters of stdin above which requests are refused: the longest line. */
const MAX_BUFFERED_CHARS = MAX_LINE_BYTES;

export class ClaudeRequests {
  readonly #claude: ClaudeProcess;
  readonly #newId: () => string;
  readonly #pending: PendingRequests<Answer>;
  /** Running MCP tool calls of the host: the tool of each request. */
  readonly #toolCalls = new Map<string, string>();
  readonly #onToolCallEnd: () => void;

  constructor(
    claude: ClaudeProcess,
    { clock, newId }: { readonly clock: Clock; readonly newId: () => string },
    onToolCallEnd: () => void,
  ) {
    this.#claude = claude;
    this.#newId = newId;
    this.#pending = new PendingRequests(clock);
    this.#onToolCallEnd = onToolCallEnd;
  }

  /** Sends a request. `settle` is called once, in the order of Claude's lines. */
  ask(
    body: ControlRequestBody,
    timeoutMs: number,
    settle: (end: Settlement<Answer>) => void = () => {},
  ): void {
    const id = generateRequestId(this.#newId);
    if (body.subtype === "mcp_call") this.#toolCalls.set(id, String(body["tool"]));
    this.#pending.open(id, timeoutMs, (end) => {
      if (this.#toolCalls.delete(id)) this.#onToolCallEnd();
      settle(end);
    });
    sendControlRequest(this.#claude, id, body);
  }

  /** The open requests that call a tool of this MCP server. */
  openToolCalls(server: string): readonly string[] {
    return [...this.#toolCalls].flatMap(([id, tool]) => (isToolOf(server, tool) ? [id] : []));
  }

  /** Settles a request. An unknown id is an echo of an answer that tugtalk sent. */
  answer({ response }: ControlResponse): void {
    if (response.request_id !== undefined) this.#pending.answer(response.request_id, response);
  }

  /** The process exited: no answer can come. */
  failAll(error: string): void {
    this.#pending.failAll(error);
  }

  /** The number of unanswered requests. */
  get openCount(): number {
    return this.#pending.size;
  }

  /** Claude does not read its stdin. */
  get isBackpressured(): boolean {
    return this.#claude.bufferedChars() > MAX_BUFFERED_CHARS;
  }
}
