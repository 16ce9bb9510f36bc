/**
 * A request of the CLI to the Messages API, as recorded, and the part of the CLI that sent it. Replies are
 * elsewhere.
 */
import * as z from "zod";

const Block = z.looseObject({ type: z.string(), text: z.string().optional() });

const Content = z.union([z.string(), z.array(Block)]);
type Content = z.infer<typeof Content>;

/** The keys of a Messages request that a script reads; other keys pass through. */
export const MessagesBody = z.looseObject({
  model: z.string().default(""),
  max_tokens: z.number().default(0),
  stream: z.boolean().default(false),
  system: Content.default(""),
  messages: z.array(z.looseObject({ role: z.string(), content: Content })).default([]),
  tools: z.array(z.looseObject({ name: z.string(), type: z.string().optional() })).default([]),
});
export type MessagesBody = z.infer<typeof MessagesBody>;

/**
 * The part of the CLI that sends the request. `main` is a conversation, a subagent's too. `helper` is one
 * of the small requests that the CLI makes for itself (title, web search, quota probe). A conversation
 * without any tool (`--tools=`) looks like a helper: script it by that kind.
 */
export type RequestKind = "main" | "helper" | "count_tokens" | "other";

/** One request as received, and its outcome. */
export type ApiRequest = {
  readonly kind: RequestKind;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: MessagesBody;
  readonly receivedAtMs: number;
  /** `unscripted` is a conversation that found the script empty; `default` needed no script. */
  readonly answer: "scripted" | "unscripted" | "default";
  /** Aborted when the CLI gives the request up before its answer is complete. */
  readonly signal: AbortSignal;
};

/** The request body. A body that is no Messages request reads as an empty one. */
export function parseMessagesBody(text: string): MessagesBody {
  const parsed = MessagesBody.safeParse(parseJson(text));
  return parsed.success ? parsed.data : MessagesBody.parse({});
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An empty or foreign body matches no script.
    return {};
  }
}

/** The part of the CLI that sent a request. */
export function routeRequest(method: string, path: string, body: MessagesBody): RequestKind {
  if (method !== "POST") return "other";
  if (path === "/v1/messages/count_tokens") return "count_tokens";
  if (path !== "/v1/messages") return "other";
  return isHelper(body) ? "helper" : "main";
}

/** A conversation offers tools of the CLI's own; a web search offers one that the API runs. */
function isHelper({ tools, max_tokens }: MessagesBody): boolean {
  const offersOwnTool = tools.some(({ type }) => type === undefined || type === "custom");
  return !offersOwnTool || max_tokens === 1;
}

/**
 * True for the conversation of a subagent. 2.1.38 does not mark it in its headers: select its subagents
 * by `openingText`.
 */
export function isSubagent({ headers }: Pick<ApiRequest, "headers">): boolean {
  return "x-claude-code-agent-id" in headers;
}

/** All text of the newest user message. Tool results hold none. */
export function promptText(body: MessagesBody): string {
  const newest = body.messages.findLast(({ role }) => role === "user");
  return newest === undefined ? "" : textOf(newest.content);
}

/** All text of the first message: the prompt of a subagent, in each of its requests. */
export function openingText(body: MessagesBody): string {
  const [first] = body.messages;
  return first === undefined ? "" : textOf(first.content);
}

function textOf(content: Content): string {
  if (typeof content === "string") return content;
  return content.map(({ text }) => text ?? "").join("\n");
}
