/**
 * A scripted message in the form of the Messages API: the steps of its event stream, or one JSON message.
 * Pure; event-body.ts holds, pauses and cuts.
 */
import type { Fields } from "../src/base/json.ts";
import type { MessageReply, ReplyBlock, ReplyCut, ReplyPlace, ReplyUsage } from "./reply.ts";
import { blockDelta, blockStart, blockStop, type StreamEvent } from "./stream-events.ts";

const DEFAULT_USAGE: ReplyUsage = { input: 100, cacheWrite: 400, cacheRead: 1500, output: 42 };
/** Signs a thought without a signature of its own. */
export const DEFAULT_SIGNATURE = "c2lnbmF0dXJl";

/** One step of a streaming reply. `cut` is always the last. */
export type StreamStep =
  | { readonly kind: "event"; readonly event: StreamEvent }
  | { readonly kind: "hold"; readonly until: Promise<unknown> }
  | { readonly kind: "pause"; readonly ms: number }
  | { readonly kind: "cut"; readonly as: NonNullable<ReplyCut["as"]> };

/** The ids and the model of one answer. */
export type MessageIdentity = {
  readonly id: string;
  readonly model: string;
  nextToolId(): string;
};

/** The event in the text form of the stream. */
export function formatEvent(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** The reply as one JSON message, for a request without `stream`. */
export function buildMessage(reply: MessageReply, identity: MessageIdentity): object {
  const content = reply.content.map((block) => buildBlock(block, identity));
  return {
    ...buildEmptyMessage(identity),
    content,
    stop_reason: stopReason(reply),
    usage: buildUsage(reply.usage, "end"),
  };
}

/** The steps that stream the reply, up to its cut if it has one. */
export function buildSteps(reply: MessageReply, identity: MessageIdentity): StreamStep[] {
  const steps: StreamStep[] = [];
  let deltas = 0;
  let blocks = 0;
  for (const event of buildEvents(reply, identity)) {
    steps.push({ kind: "event", event });
    const isDelta = isCountedDelta(event);
    if (isDelta) deltas += 1;
    if (event.type === "content_block_stop") blocks += 1;
    if (isDelta && reply.delayMs !== undefined) steps.push({ kind: "pause", ms: reply.delayMs });

    const isHere = (at: ReplyPlace) => isReached(at, event, { deltas, blocks });
    const holds = (reply.holds ?? []).filter(({ at }) => at !== undefined && isHere(at));
    steps.push(...holds.map(({ until }): StreamStep => ({ kind: "hold", until })));
    if (reply.cut !== undefined && isHere(reply.cut.at)) {
      return [...steps, { kind: "cut", as: reply.cut.as ?? "abort" }];
    }
  }
  return steps;
}

function isReached(
  at: ReplyPlace,
  event: StreamEvent,
  passed: { deltas: number; blocks: number },
): boolean {
  if (event.type === "message_start") {
    return "afterDeltas" in at ? at.afterDeltas === 0 : at.afterBlocks === 0;
  }
  if ("afterDeltas" in at) return isCountedDelta(event) && at.afterDeltas === passed.deltas;
  return event.type === "content_block_stop" && at.afterBlocks === passed.blocks;
}

/** A signature does not count as a delta of the script. */
function isCountedDelta(event: StreamEvent): boolean {
  if (event.type !== "content_block_delta") return false;
  const { delta } = event as { delta?: { type?: string } };
  return delta?.type !== "signature_delta";
}

function buildEvents(reply: MessageReply, identity: MessageIdentity): StreamEvent[] {
  const usage = buildUsage(reply.usage, "start");
  const message = { ...buildEmptyMessage(identity), usage };
  const delta = { stop_reason: stopReason(reply), stop_sequence: null };
  return [
    { type: "message_start", message },
    ...(reply.ping === true ? [{ type: "ping" }] : []),
    ...reply.content.flatMap((block, index) =>
      buildBlockEvents(reply, buildBlock(block, identity), { block, index }),
    ),
    { type: "message_delta", delta, usage: buildUsage(reply.usage, "delta") },
    { type: "message_stop" },
  ];
}

function buildBlockEvents(
  reply: MessageReply,
  apiBlock: Fields,
  { block, index }: { block: ReplyBlock; index: number },
): StreamEvent[] {
  const pieces = block.pieces ?? cutCharacters(streamedText(block), reply.pieceChars);
  const deltas = pieces.map((piece) => buildDelta(block.type, piece));
  if (block.type === "thinking") {
    deltas.push({ type: "signature_delta", signature: block.signature ?? DEFAULT_SIGNATURE });
  }
  return [
    blockStart(index, emptied(apiBlock)),
    ...deltas.map((delta) => blockDelta(index, delta)),
    blockStop(index),
  ];
}

function streamedText(block: ReplyBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return block.thinking;
    case "tool_use":
      return JSON.stringify(block.input);
  }
}

function buildDelta(type: ReplyBlock["type"], piece: string): Fields {
  switch (type) {
    case "text":
      return { type: "text_delta", text: piece };
    case "thinking":
      return { type: "thinking_delta", thinking: piece };
    case "tool_use":
      return { type: "input_json_delta", partial_json: piece };
  }
}

function buildBlock(block: ReplyBlock, identity: MessageIdentity): Fields {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return {
        type: "thinking",
        thinking: block.thinking,
        signature: block.signature ?? DEFAULT_SIGNATURE,
      };
    case "tool_use": {
      const id = block.id ?? identity.nextToolId();
      return { type: "tool_use", id, name: block.name, input: block.input };
    }
  }
}

/** The block in `content_block_start`: every streamed part is still empty. */
function emptied(block: Fields): Fields {
  const empty: Record<string, unknown> = { text: "", thinking: "", signature: "", input: {} };
  return Object.fromEntries(
    Object.entries(block).map(([key, value]) => [key, key in empty ? empty[key] : value]),
  );
}

/** Cuts between code points: half a surrogate pair could not be written to the stream as UTF-8. */
function cutCharacters(text: string, size: number | undefined): string[] {
  if (size === undefined) return text === "" ? [] : [text];
  const characters = [...text];
  const count = Math.ceil(characters.length / size);
  return Array.from({ length: count }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(""),
  );
}

function stopReason(reply: MessageReply): string {
  const callsTool = reply.content.some(({ type }) => type === "tool_use");
  return reply.stopReason ?? (callsTool ? "tool_use" : "end_turn");
}

function buildEmptyMessage({ id, model }: MessageIdentity): Fields {
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

/** Only the first and the complete usage have the details of the cache. */
function buildUsage(usage: Partial<ReplyUsage> = {}, at: "start" | "delta" | "end"): Fields {
  const { input, cacheWrite, cacheRead, output } = { ...DEFAULT_USAGE, ...usage };
  const counts = {
    input_tokens: input,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: at === "start" ? Math.min(1, output) : output,
  };
  if (at === "delta") return counts;
  const cache_creation = { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 };
  return { ...counts, cache_creation, service_tier: "standard" };
}
