/** The requests to the model, as the scripted API has recorded them. */
import type { ApiRequest, MessagesBody } from "../../simulator/api-request.ts";
import type { MessagesApi } from "../../simulator/messages-api.ts";

type Content = MessagesBody["messages"][number]["content"];
type Block = Exclude<Content, string>[number];

/** The requests about a conversation. */
export function mainRequests({ requests }: MessagesApi): readonly ApiRequest[] {
  return requests.filter(({ kind }) => kind === "main");
}

/** The body of the newest one. */
export function newestBody(api: MessagesApi): Partial<MessagesBody> {
  return mainRequests(api).at(-1)?.body ?? {};
}

/** Waits until Claude gives it up, which the API may hear of later than the host. */
export async function untilGivenUp(api: MessagesApi): Promise<void> {
  const signal = mainRequests(api).at(-1)?.signal;
  while (signal?.aborted !== true) await Bun.sleep(10);
}

/** Its messages, as JSON text. */
export function allMessages(api: MessagesApi): string {
  return JSON.stringify(newestBody(api).messages);
}

/** The messages after the last message of the model, as JSON text. */
export function newestMessages(api: MessagesApi): string {
  const { messages = [] } = newestBody(api);
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return JSON.stringify(messages.slice(last + 1));
}

/** Marks text that the CLI adds to the conversation. */
const REMINDER = "<system-reminder>";

/** The conversation in the newest request, one entry for each block, in order. */
export function conversationSent(api: MessagesApi): string[] {
  const { messages = [] } = newestBody(api);
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
