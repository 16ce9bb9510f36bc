/** A made-up journal in the shape of real sessions: streamed texts, tools with results, prompts, receipts. */
import type { Fields } from "../src/base/json.ts";
import type { OutboundMessage } from "../src/types.ts";

/** Deltas of each streamed text, and tools of each turn. */
const DELTAS = 40;
const TOOLS = 4;

/** One journal; each message has its `seq`. */
export class MixedJournal {
  #seq = 0;
  #turns = 0;

  /** The first messages of a bridge. */
  start(): OutboundMessage[] {
    return [
      this.#message("protocol_ack", { instance_id: "one", version: 2, tugtalk_version: "0" }),
      this.#message("session_init", { session_id: "session", mode: "new" }),
      this.#message("session_state", { state: "idle" }),
    ];
  }

  /** One whole turn: 68 messages. */
  turn(): OutboundMessage[] {
    const { turn_id, message_ids, opening } = this.open();
    const messages = [
      ...opening,
      ...this.deltas(turn_id, `msg_${turn_id}_0`, DELTAS),
      this.block(turn_id, `msg_${turn_id}_0`, "word ".repeat(DELTAS)),
    ];
    for (let tool = 0; tool < TOOLS; tool += 1) messages.push(...this.#tool(turn_id, tool));
    return [...messages, ...this.#end(turn_id, message_ids)];
  }

  /** The beginning of a turn. */
  open(): { turn_id: string; message_ids: string[]; opening: OutboundMessage[] } {
    this.#turns += 1;
    const turn_id = `turn-${this.#turns}`;
    const message_id = `message-${this.#turns}`;
    const opening = [
      this.#message("message_status", { message_id, status: "queued" }),
      this.#message("turn_started", { turn_id, message_ids: [message_id], trigger: "user" }),
      this.#message("message_status", { turn_id, message_id, status: "started" }),
      this.#message("user_text", { turn_id, message_id, text: "Do it.", kind: "host" }),
      this.#message("session_state", { state: "running" }),
    ];
    return { turn_id, message_ids: [message_id], opening };
  }

  /** Deltas of one text. */
  deltas(turn_id: string, msg_id: string, count: number): OutboundMessage[] {
    const fields = { turn_id, msg_id, block_index: 0, text: "word ", is_partial: true };
    return Array.from({ length: count }, () =>
      this.#message("assistant_text", { ...fields, status: "partial" }),
    );
  }

  /** The complete text. */
  block(turn_id: string, msg_id: string, text: string): OutboundMessage {
    const fields = { turn_id, msg_id, block_index: 0, text, is_partial: false };
    return this.#message("assistant_text", { ...fields, status: "complete" });
  }

  #tool(turn_id: string, number: number): OutboundMessage[] {
    const tool_use_id = `toolu_${turn_id}_${number}`;
    const tool = { turn_id, tool_use_id, tool_name: "Bash" };
    const call = { ...tool, msg_id: `msg_${turn_id}_1`, block_index: number };
    const input = { command: "ls -la", description: "List the files" };
    const output = "a line of output\n".repeat(20);
    return [
      this.#message("tool_use", { ...call, status: "streaming" }),
      this.#message("tool_use", { ...call, status: "complete", input }),
      this.#message("tool_result", { ...tool, output, is_error: false }),
      this.#message("tool_use_structured", { ...tool, structured_result: { stdout: output } }),
    ];
  }

  #end(turn_id: string, message_ids: readonly string[]): OutboundMessage[] {
    const cost = { total_cost_usd: this.#turns / 100, turn_cost_usd: 0.01, num_turns: 2 };
    const end = { result: "success", subtype: "success", is_error: false, permission_denials: [] };
    return [
      this.#message("cost_update", { turn_id, ...cost, duration_ms: 1000, usage: {} }),
      this.#message("turn_complete", { turn_id, message_ids, trigger: "user", ...end }),
      ...message_ids.map((message_id) =>
        this.#message("message_status", { turn_id, message_id, status: "completed" }),
      ),
      this.#message("session_state", { state: "idle" }),
    ];
  }

  #message(type: string, fields: Fields): OutboundMessage {
    this.#seq += 1;
    // The types of the fields are those of real messages.
    return { type, ipc_version: 2, seq: this.#seq, ...fields } as unknown as OutboundMessage;
  }
}
