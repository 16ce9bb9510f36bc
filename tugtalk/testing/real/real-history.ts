/** What a conversation with a real `claude` holds: as the model is told it, and as it is on disk. */
import type { MessagesBody } from "../../simulator/api-request.ts";
import type { MessagesApi } from "../../simulator/messages-api.ts";
import type { ScriptEntry } from "../../simulator/reply-script.ts";
import { callTool, type RealSession } from "./real-session.ts";

type Content = MessagesBody["messages"][number]["content"];
type Block = Exclude<Content, string>[number];

/** What the CLI puts beside the words of the conversation. */
const REMINDER = "<system-reminder>";

/** What the newest request tells the model was said and done, one entry for each block, in order. */
export function conversationTold({ requests }: MessagesApi): string[] {
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

/** A first turn with words and a tool in it: what is said, what the API answers, what is told later. */
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

/**
 * Waits until the conversation in hand is on disk as far as these words: a CLI that is killed earlier
 * has lost them, and its whole conversation if it is a new one.
 */
export async function untilWritten(session: RealSession, words: string): Promise<void> {
  const init = session.bridge.received.findLast(({ type }) => type === "session_init");
  const wanted = JSON.stringify(words).slice(1, -1);
  for (;;) {
    const id = session.send({ type: "session_history", session_id: init?.["session_id"] });
    const answer = await session.next(({ in_reply_to }) => in_reply_to === id);
    if (JSON.stringify(answer).includes(wanted)) return;
  }
}
