/** One message of the model, streamed block by block. Protocol reference §3b, §3e. */
import {
  blockDelta,
  blockStart,
  blockStop,
  messageEnd,
  messageStart,
  textBlock,
  textDelta,
  toolBlock,
} from "../../simulator/stream-events.ts";
import { assistantLine, eventLine } from "../drivers/test-lines.ts";
import type { Fields } from "../observer/observed.ts";
import { AGENT_INPUT } from "./model-agent.ts";

type Block =
  | { readonly kind: "text" | "thinking"; text: string }
  | { readonly kind: "tool_use"; readonly id: string; readonly name: string };

export class ModelMessage {
  readonly #id: string;
  #index = 0;
  #block: Block | undefined;

  constructor(id: string) {
    this.#id = id;
  }

  /** A block is open. */
  get isOpen(): boolean {
    return this.#block !== undefined;
  }

  start(): Fields[] {
    return [eventLine(messageStart(this.#id))];
  }

  openText(kind: "text" | "thinking"): Fields[] {
    this.#block = { kind, text: "" };
    return [eventLine(blockStart(this.#index, { type: kind, [kind]: "" }))];
  }

  openTool(id: string, name: string): Fields[] {
    this.#block = { kind: "tool_use", id, name };
    return [eventLine(blockStart(this.#index, { ...toolBlock(id, name) }))];
  }

  /** A piece of the open block. */
  write(): Fields[] {
    const block = this.#block;
    if (block === undefined) return [];
    if (block.kind === "tool_use")
      return [eventLine(blockDelta(this.#index, { type: "input_json_delta", partial_json: "{" }))];
    const piece = `piece ${block.text.length} `;
    block.text += piece;
    const delta = { type: "thinking_delta", thinking: piece };
    const event =
      block.kind === "text" ? textDelta(piece, this.#index) : blockDelta(this.#index, delta);
    return [eventLine(event)];
  }

  /** Prints the whole block before its stop; an empty block has only the stop. `more`: text that was not streamed. */
  closeBlock(more = ""): Fields[] {
    const block = this.#block;
    if (block === undefined) return [];
    const stop = eventLine(blockStop(this.#index));
    this.#block = undefined;
    this.#index += 1;
    if (block.kind !== "tool_use") block.text += more;
    const isEmpty = block.kind !== "tool_use" && block.text === "";
    return isEmpty ? [stop] : [assistantLine(this.#id, contentOf(block)), stop];
  }

  close(isForTools: boolean): readonly Fields[] {
    const [, stop = {}] = messageEnd;
    const stop_reason = isForTools ? "tool_use" : "end_turn";
    return [{ type: "message_delta", delta: { stop_reason } }, stop].map(eventLine);
  }
}

function contentOf(block: Block): Fields {
  if (block.kind === "tool_use") {
    const input = block.name === "Agent" ? AGENT_INPUT : { command: "ls" };
    return toolBlock(block.id, block.name, input);
  }
  return block.kind === "text" ? textBlock(block.text) : { type: "thinking", thinking: block.text };
}
