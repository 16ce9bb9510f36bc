/** Replies of the scripted API, and a gate with which a test decides how long a tool runs. */
import { type ApiRequest, openingText, promptText } from "../../simulator/api-request.ts";
import type { MessageReply, Reply } from "../../simulator/reply.ts";
import type { ReplySource, ScriptEntry } from "../../simulator/reply-script.ts";
import type { Fields } from "../../src/base/json.ts";

/** A reply that calls one tool. */
export function callTool(name: string, input: Fields): Reply {
  return { content: [{ type: "tool_use", name, input }] };
}

/** The input of a call that starts a subagent with this prompt. */
export function agentInput(prompt: string, fields: Fields = {}): Fields {
  return { description: "d", prompt, subagent_type: "general-purpose", ...fields };
}

/** A reply that stops after its first piece until `release`. */
export function holdReply(text: string, rest: string) {
  return held({ content: [{ type: "text", text: text + rest, pieces: [text, rest] }] }, 1);
}

/** A reply that is sent whole after `release`. */
export function holdWhole(text: string) {
  return held({ content: [{ type: "text", text }] });
}

function held(message: MessageReply, afterDeltas?: number) {
  const { promise: until, resolve: release } = Promise.withResolvers<void>();
  const at = afterDeltas === undefined ? {} : { at: { afterDeltas } };
  const reply: MessageReply = { ...message, holds: [{ ...at, until }] };
  return { reply, release };
}

/** A reply for the conversation whose first message has this word, for example the one of a subagent. */
export function as(word: string, reply: ReplySource): ScriptEntry {
  return { reply, when: ({ body }: Pick<ApiRequest, "body">) => openingText(body).includes(word) };
}

/** A reply for the request whose newest message has this word. */
export function answerTo(word: string, reply: ReplySource = `Answer to ${word}.`): ScriptEntry {
  return { reply, when: ({ body }) => promptText(body).includes(word) };
}

/** The question of a tool call, one of whose options is chosen. */
export function question(text: string, labels: readonly string[], multiSelect = false) {
  const options = labels.map((label) => ({ label, description: `${label}, that is.` }));
  return { question: text, header: "Asked", multiSelect, options };
}

/** A closed gate; disposing of it removes it. */
export type Gate = Disposable & {
  readonly url: string;
  /** A shell command that waits here. */
  readonly command: string;
  /** Resolves when a request waits. */
  readonly reached: Promise<void>;
  readonly open: () => void;
};

/** The answer to a request after the gate is open. */
export const THROUGH = "through the gate";

/** Starts a gate on loopback: a request for its address waits until the test opens it. */
export function startGate(): Gate {
  const arrival = Promise.withResolvers<void>();
  const opening = Promise.withResolvers<void>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch() {
      arrival.resolve();
      await opening.promise;
      return new Response(THROUGH);
    },
  });
  const url = `http://127.0.0.1:${server.port}/`;
  return {
    url,
    command: `"${process.execPath}" -e "console.log(await (await fetch('${url}')).text())"`,
    reached: arrival.promise,
    open: opening.resolve,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/** The API's headers about the usage limit of a subscription. `resetsAt`: seconds since 1970. */
function limitHeaders(status: "allowed" | "rejected", resetsAt: number) {
  const reset = String(resetsAt);
  return {
    "anthropic-ratelimit-unified-status": status,
    "anthropic-ratelimit-unified-reset": reset,
    "anthropic-ratelimit-unified-representative-claim": "five_hour",
    "anthropic-ratelimit-unified-5h-status": status,
    "anthropic-ratelimit-unified-5h-reset": reset,
    "anthropic-ratelimit-unified-5h-utilization": status === "allowed" ? "0.1" : "1",
  };
}

/** The usage limit is reached, and reset at this time, in seconds since 1970. */
export function limitReached(resetsAt: number): Reply {
  return {
    status: 429,
    message: "This request would exceed your account's rate limit.",
    headers: limitHeaders("rejected", resetsAt),
  };
}

/** A text within the usage limit. */
export function withinLimit(text: string, resetsAt: number): Reply {
  return { content: [{ type: "text", text }], headers: limitHeaders("allowed", resetsAt) };
}
