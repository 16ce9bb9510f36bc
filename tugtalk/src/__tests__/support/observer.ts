/**
 * The contract's guarantees, as one function over what a host received. Knows nothing of how the
 * bridge is made: it is given the two sides of the host's pipe and says what is broken.
 */
import { OutboundMessage } from "../../types.ts";

type Message = Readonly<Record<string, unknown>> & { readonly type: string };

/** What a host saw. */
export type Observed = {
  /** Everything received, parsed, in order. */
  readonly received: readonly unknown[];
  /** The `id`s that the host had sent. */
  readonly sentIds?: readonly string[];
  /** The ids of the user messages that the host had sent, each under one of its own. */
  readonly messageIds?: readonly string[];
  /** The bridge has ended, so nothing may be left open. */
  readonly isOver: boolean;
};

/** Every broken guarantee, as a sentence; none is the contract kept. */
export function observe({ received, sentIds, messageIds, isOver }: Observed): string[] {
  const messages = received as readonly Message[];
  return [
    ...messages.flatMap(schemaFaults),
    ...sequenceFaults(messages, sentIds),
    ...turnFaults(messages, isOver),
    ...blockFaults(messages),
    ...receiptFaults(messages, isOver, messageIds),
    ...promptFaults(messages, isOver),
    ...processFaults(messages, isOver),
  ];
}

function schemaFaults(message: Message): string[] {
  const parsed = OutboundMessage.safeParse(message);
  if (!parsed.success) return [`${describe(message)} breaks its schema: ${parsed.error.message}`];
  return Bun.deepEquals(parsed.data, message)
    ? []
    : [`${describe(message)} has fields that its schema lacks`];
}

function sequenceFaults(messages: readonly Message[], sentIds?: readonly string[]): string[] {
  const faults: string[] = [];
  messages.forEach((message, index) => {
    if (message["seq"] !== index + 1) faults.push(`seq ${message["seq"]} at place ${index + 1}`);
    const reply = message["in_reply_to"];
    if (sentIds !== undefined && typeof reply === "string" && !sentIds.includes(reply)) {
      faults.push(`${describe(message)} answers ${reply}, which was never sent`);
    }
  });
  const first = messages.find(({ type }) => type !== "error");
  if (first !== undefined && first.type !== "protocol_ack")
    faults.push(`${first.type} precedes protocol_ack`);
  return faults;
}

/** Messages that may name a turn after its end. */
const RECEIPTS = new Set(["message_status"]);

type TurnBooks = { readonly open: string[]; lastCost: string | undefined };

function turnFaults(messages: readonly Message[], isOver: boolean): string[] {
  const books: TurnBooks = { open: [], lastCost: undefined };
  const faults = messages.flatMap((message) => turnFault(message, books));
  return isOver && books.open.length > 0 ? [...faults, `turn ${books.open[0]} never ends`] : faults;
}

function turnFault(message: Message, books: TurnBooks): string[] {
  const { open } = books;
  if (message.type === "process_exit") {
    return open.length > 0 ? [`turn ${open[0]} is open at process_exit`] : [];
  }
  const turn = message["turn_id"];
  if (typeof turn !== "string" || RECEIPTS.has(message.type)) return [];
  if (message.type === "turn_started") {
    open.push(turn);
    return [];
  }
  const faults = open.includes(turn)
    ? []
    : [`${describe(message)} names turn ${turn}, which is not open`];
  if (message.type === "cost_update") books.lastCost = turn;
  const isEnd = message.type === "turn_complete" || message.type === "turn_cancelled";
  return isEnd ? [...faults, ...endFault(message.type, turn, books)] : faults;
}

function endFault(type: string, turn: string, { open, lastCost }: TurnBooks): string[] {
  const faults: string[] = [];
  if (open[0] !== turn) faults.push(`turn ${turn} ends before ${open[0]}`);
  if (type === "turn_complete" && lastCost !== turn)
    faults.push(`turn ${turn} ends without its cost`);
  open.splice(open.indexOf(turn), 1);
  return faults;
}

const BLOCKS = new Set(["assistant_text", "thinking_text", "tool_use"]);

type BlockBooks = { text: string; turn: unknown; ended: boolean };

function blockFaults(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  const blocks = new Map<string, BlockBooks>();
  for (const message of messages) {
    if (message.type === "turn_complete" || message.type === "turn_cancelled") {
      for (const [key, block] of blocks) {
        if (!block.ended && block.turn === message["turn_id"])
          faults.push(`block ${key} outlives its turn`);
      }
    }
    if (BLOCKS.has(message.type)) faults.push(...blockFault(message, blocks));
  }
  return faults;
}

function blockFault(message: Message, blocks: Map<string, BlockBooks>): string[] {
  const key = [message["parent_tool_use_id"], message["msg_id"], message["block_index"]].join("/");
  const block = blocks.get(key) ?? { text: "", turn: message["turn_id"], ended: false };
  blocks.set(key, block);
  if (block.ended) return [`block ${key} goes on after its end with ${describe(message)}`];
  if (message["status"] === "partial") block.text += String(message["text"]);
  if (message["status"] === "partial" || message["status"] === "streaming") return [];
  block.ended = true;
  const isWhole =
    message["status"] !== "complete" || block.text === "" || block.text === message["text"];
  return isWhole ? [] : [`block ${key} is complete with another text than its partials`];
}

const FINAL = new Set(["completed", "cancelled", "rejected", "failed"]);
const ORDER = ["queued", "started", "completed", "cancelled", "rejected", "failed"];

function receiptFaults(
  messages: readonly Message[],
  isOver: boolean,
  messageIds: readonly string[] = [],
): string[] {
  const faults: string[] = [];
  const last = new Map<string, string>();
  for (const message of messages) {
    if (message.type !== "message_status") continue;
    const id = String(message["message_id"]);
    const status = String(message["status"]);
    const before = last.get(id);
    if (before !== undefined && FINAL.has(before))
      faults.push(`message ${id} is ${status} after ${before}`);
    else if (before !== undefined && ORDER.indexOf(status) <= ORDER.indexOf(before)) {
      faults.push(`message ${id} goes back from ${before} to ${status}`);
    }
    last.set(id, status);
  }
  if (!isOver) return faults;
  const unsettled = [...last].filter(([, status]) => !FINAL.has(status));
  const unheard = messageIds.filter((id) => !last.has(id));
  return [
    ...faults,
    ...unsettled.map(([id, status]) => `message ${id} is left ${status}`),
    ...unheard.map((id) => `message ${id} has no receipt`),
  ];
}

const ASKING = new Set(["control_request_forward", "elicitation_request", "dialog_request"]);

function promptFaults(messages: readonly Message[], isOver: boolean): string[] {
  const faults: string[] = [];
  const open = new Set<unknown>();
  for (const message of messages) {
    const id = message["request_id"];
    if (ASKING.has(message.type)) open.add(id);
    if (message.type === "control_request_resolved" || message.type === "control_request_cancel") {
      if (!open.delete(id)) faults.push(`prompt ${id} is closed but not open`);
    }
    if (message.type === "process_exit" && open.size > 0)
      faults.push("a prompt is open at process_exit");
  }
  if (isOver && open.size > 0) faults.push(`prompts are left open: ${[...open].join(", ")}`);
  return faults;
}

function processFaults(messages: readonly Message[], isOver: boolean): string[] {
  const faults: string[] = [];
  const running = new Set<unknown>();
  for (const { type, pid } of messages) {
    if (type === "process_started") running.add(pid);
    if (type === "process_exit" && !running.delete(pid))
      faults.push(`process ${pid} exits but was not started`);
  }
  if (isOver && running.size > 0) faults.push(`processes are left: ${[...running].join(", ")}`);
  return faults;
}

function describe({ type, seq }: Message): string {
  return `${type} (seq ${seq})`;
}
