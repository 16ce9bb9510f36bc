/** The conversation with a real `claude`: as requests to the API hold it, and as it is on disk. */
import { expect } from "bun:test";
import type { MessagesBody } from "../../simulator/api-request.ts";
import type { MessagesApi } from "../../simulator/messages-api.ts";
import type { ScriptEntry } from "../../simulator/reply-script.ts";
import type { Received } from "../drivers/bridge-process.ts";
import { callTool, type RealSession } from "./real-session.ts";

type Content = MessagesBody["messages"][number]["content"];
type Block = Exclude<Content, string>[number];

/** Marks text that the CLI adds to the conversation. */
const REMINDER = "<system-reminder>";

/** The conversation in the newest request, one entry for each block, in order. */
export function conversationSent({ requests }: MessagesApi): string[] {
  const messages = requests.findLast(({ kind }) => kind === "main")?.body.messages ?? [];
  return messages
    .filter(({ role }) => role !== "system")
    .flatMap(({ role, content }) => blocksOf(content).map((block) => describe(role, block)))
    .filter((line) => !line.includes(REMINDER));
}

function blocksOf(content: Content): readonly Block[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function describe(role: string, block: Block): string {
  switch (block.type) {
    case "tool_use":
      return `${role} calls ${block["name"]}`;
    case "tool_result":
      return `${role} has the result ${JSON.stringify(block["content"])}`;
    default:
      return `${role}: ${block.text?.trim()}`;
  }
}

/** A first turn with text and a tool: the message, the replies, and how later requests hold it. */
export const FIRST_TURN = {
  text: "remember the heron at the weir – Fischreiher 🪶",
  script: [callTool("Bash", { command: "echo noted", description: "note" }), "I will."],
  emitted: [
    "user: remember the heron at the weir – Fischreiher 🪶",
    "assistant calls Bash",
    'user has the result "noted"',
    "assistant: I will.",
  ],
} satisfies { text: string; script: ScriptEntry[]; emitted: string[] };

/** Sends a message, expects this reply, and waits until it is on disk: 2.1.38 may lose it at its end. */
export async function exchange(
  session: RealSession,
  text: string,
  reply: string,
): Promise<{ readonly messageId: string; readonly messages: readonly Received[] }> {
  const messageId = session.say(text, reply);
  const { end, messages } = await session.turn();
  expect(end).toMatchObject({ result: "success", text: reply });
  await untilWritten(session, reply);
  return { messageId, messages };
}

/**
 * Waits until the current conversation is on disk up to this text. A CLI that is killed earlier
 * loses the text, and the whole conversation if it is new.
 */
export async function untilWritten(session: RealSession, text: string): Promise<void> {
  const init = session.bridge.received.findLast(({ type }) => type === "session_init");
  const wanted = JSON.stringify(text).slice(1, -1);
  for (;;) {
    const id = session.send({ type: "session_history", session_id: init?.["session_id"] });
    const answer = await session.next(({ in_reply_to }) => in_reply_to === id);
    if (JSON.stringify(answer).includes(wanted)) return;
  }
}
