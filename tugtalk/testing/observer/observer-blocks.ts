/** Guarantee 6, and guarantee 2 for blocks: each ends once, with its whole text, in its turn. */
import { describe, type Message } from "./observed.ts";
import { isTurnEnd } from "./observer-turns.ts";

const BLOCKS = new Set(["assistant_text", "thinking_text", "tool_use"]);

type Block = { text: string; readonly turn: unknown; hasEnded: boolean };

/** Partials, then one end; nothing after it; none outlives its turn or its process. */
export function blockFaults(messages: readonly Message[], isOver: boolean): string[] {
  const faults: string[] = [];
  const blocks = new Map<string, Block>();
  for (const message of messages) {
    if (isTurnEnd(message)) {
      faults.push(...openOnes(blocks, "its turn", ({ turn }) => turn === message["turn_id"]));
    }
    if (message.type === "process_exit") faults.push(...openOnes(blocks, "its process"));
    if (BLOCKS.has(message.type)) faults.push(...blockFault(message, blocks));
  }
  return isOver ? [...faults, ...openOnes(blocks, "the bridge")] : faults;
}

function openOnes(
  blocks: ReadonlyMap<string, Block>,
  what: string,
  which: (block: Block) => boolean = () => true,
): string[] {
  return [...blocks]
    .filter(([, block]) => !block.hasEnded && which(block))
    .map(([key]) => `block ${key} outlives ${what}`);
}

function blockFault(message: Message, blocks: Map<string, Block>): string[] {
  const {
    parent_tool_use_id: parentToolUseId,
    msg_id: id,
    block_index: index,
    status,
    text,
  } = message;
  const keyOf = (type: string) => JSON.stringify([type, parentToolUseId ?? null, id, index]);
  const key = keyOf(message.type);
  const block = blocks.get(key) ?? { text: "", turn: message["turn_id"], hasEnded: false };
  const isOther = [...BLOCKS].some((type) => type !== message.type && blocks.has(keyOf(type)));
  if (isOther) return [`block ${key} has the place of another, with ${describe(message)}`];
  blocks.set(key, block);
  if (block.hasEnded) return [`block ${key} goes on after its end with ${describe(message)}`];
  if (status === "partial") block.text += String(text);
  if (status === "partial" || status === "streaming") return [];
  block.hasEnded = true;
  if (status === "abandoned")
    return text === undefined ? [] : [`block ${key} is abandoned and has a text`];
  const isWhole = block.text === "" || block.text === text;
  return isWhole ? [] : [`block ${key} is complete with another text than its partials`];
}
