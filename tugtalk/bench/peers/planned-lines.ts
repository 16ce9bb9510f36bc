/**
 * The lines of a planned turn as text: some as recorded from 2.1.197, the others as the simulator prints
 * them.
 */
import {
  buildAssistant,
  buildReplay,
  buildStatus,
  buildUser,
  type Session,
} from "../../simulator/claude-lines.ts";
import { buildSuccess } from "../../simulator/control-answers.ts";
import {
  blockDelta,
  blockStart,
  blockStop,
  messageEnd,
  resultBlock,
  textBlock,
  textDelta,
  textStart,
  toolBlock,
} from "../../simulator/stream-events.ts";
import type { Fields } from "../../src/base/json.ts";
import { init, initialize, message as MESSAGE, result as RESULT } from "./recorded-lines.json";

/** The lines of one conversation. */
export class PlannedLines {
  readonly #session: Session;

  constructor(sessionId: string) {
    this.#session = {
      sessionId,
      cwd: "/work/project",
      model: MESSAGE.model,
      permissionMode: "default",
      newId: () => crypto.randomUUID(),
    };
  }

  /** The answer to a control request. */
  answer(requestId: string, isInitialize: boolean): string {
    return formatLine(buildSuccess(requestId, isInitialize ? initialize : {}));
  }

  /** The lines before the first message of a turn. */
  opening(uuid: string, text: string): string {
    const message = { role: "user", content: [textBlock(text)] };
    const { cwd, model, permissionMode } = this.#session;
    return [
      { ...init, cwd, model, permissionMode, ...this.#ids() },
      buildStatus(this.#session, { status: "requesting" }),
      buildReplay(this.#session, { message, uuid }),
    ]
      .map(formatLine)
      .join("");
  }

  /** One message of Claude with one block of text, streamed in pieces that are already formatted. */
  textMessage(id: string, text: string, deltas: string): string {
    return this.messageStart(id) + deltas + this.messageEnd(id, textBlock(text));
  }

  messageStart(id: string, start: Fields = textStart()): string {
    return this.#events({ type: "message_start", message: { ...MESSAGE, id } }, start);
  }

  messageEnd(id: string, block: Fields): string {
    const finished = buildAssistant(this.#session, { ...MESSAGE, id }, block);
    return formatLine(finished) + this.#events(blockStop(), ...messageEnd);
  }

  textDelta(text: string): string {
    return this.#events(textDelta(text));
  }

  /** A message that calls a tool. */
  toolCall(id: string, input: Fields, name = "Write"): string {
    const block = toolBlock(`toolu_${id}`, name, input);
    const partial_json = JSON.stringify(input);
    return (
      this.messageStart(id, blockStart(0, { ...block, input: {} })) +
      this.#events(blockDelta(0, { type: "input_json_delta", partial_json })) +
      this.messageEnd(id, block)
    );
  }

  /** The prompt for a call; its `request_id` is the id of the message. */
  prompt(id: string, input: Fields): string {
    const request = { subtype: "can_use_tool", tool_name: "Write", display_name: "Write", input };
    return this.request(id, { ...request, tool_use_id: `toolu_${id}` });
  }

  /** The request to the host's hook before a tool runs. */
  hookCallback(id: string, callback_id: string, tool_use_id: string, tool_input: Fields): string {
    const { sessionId, cwd, permissionMode } = this.#session;
    const input = {
      session_id: sessionId,
      transcript_path: `/home/user/.claude/projects/-work-project/${sessionId}.jsonl`,
      cwd,
      permission_mode: permissionMode,
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input,
      tool_use_id,
    };
    return this.request(id, { subtype: "hook_callback", callback_id, tool_use_id, input });
  }

  /** A message to the server of the host's tools. Without an id it is a notification. */
  mcpMessage(id: string, method: string, params: Fields, callId?: number): string {
    const message = { method, params, jsonrpc: "2.0", ...(callId !== undefined && { id: callId }) };
    return this.request(id, { subtype: "mcp_message", server_name: "host", message });
  }

  request(id: string, request: Fields): string {
    return formatLine({ type: "control_request", request_id: id, request });
  }

  toolResult(id: string, content: string): string {
    return formatLine(buildUser(this.#session, resultBlock(`toolu_${id}`, content)));
  }

  result(text: string): string {
    return formatLine({ ...RESULT, total_cost_usd: 0.01, ...this.#ids(), result: text });
  }

  #events(...events: readonly Fields[]): string {
    return events.map((event) => formatLine(this.#event(event))).join("");
  }

  #event(event: Fields): Fields {
    const { session_id, uuid } = this.#ids();
    const first = event["type"] === "message_start" ? { ttft_ms: 1 } : {};
    return { type: "stream_event", event, session_id, parent_tool_use_id: null, uuid, ...first };
  }

  #ids() {
    return { session_id: this.#session.sessionId, uuid: this.#session.newId() };
  }
}

/** Escapes two characters that some programs take for the end of a line, as this version does. */
function formatLine(line: Fields): string {
  const text = JSON.stringify(line).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  return `${text}\n`;
}
