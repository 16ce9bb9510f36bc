/** Sends requests to a stand-in API as the CLI does, and reads the replies. */
import { expect } from "bun:test";
import { type MessagesApi, startMessagesApi } from "../../messages-api.ts";
import type { MessageReply } from "../../reply.ts";
import type { ScriptEntry } from "../../reply-script.ts";

/** Any JSON object. */
export type Json = Record<string, unknown>;

const running = new Set<MessagesApi>();

/** Ends every stand-in of the test. */
export async function stopAll(): Promise<void> {
  for (const api of running) await api.stop();
  running.clear();
}

/** A stand-in with this script, until `stopAll`. */
export function start(...script: ScriptEntry[]): MessagesApi {
  const api = startMessagesApi({ script });
  running.add(api);
  return api;
}

/** A request of the main conversation. */
export const conversation = {
  model: "some-model",
  max_tokens: 1000,
  stream: true,
  tools: [{ name: "Write" }],
  messages: [{ role: "user", content: "hi" }],
};

/** Sends a request that differs from the conversation by these keys. */
export function ask(
  api: MessagesApi,
  changes: Json = {},
  init: RequestInit = {},
): Promise<Response> {
  const body = JSON.stringify({ ...conversation, ...changes });
  return fetch(`${api.url}/v1/messages`, { method: "POST", body, ...init });
}

/** The data of each event, in order; each must be named as its data says. */
export async function eventsOf(response: Response): Promise<Json[]> {
  return parseEvents(await response.text());
}

/** The events of a stream's text. */
function parseEvents(text: string): Json[] {
  return text.split("\n\n").flatMap((frame) => {
    if (frame === "") return [];
    const [event = "", data = ""] = frame.split("\n");
    const json = JSON.parse(data.replace(/^data: /, "")) as Json;
    expect(event).toBe(`event: ${json["type"]}`);
    return [json];
  });
}

/** The texts of all deltas of the reply, up to the end of the stream. */
export async function deltasOf(response: Response): Promise<unknown[]> {
  return (await eventsOf(response)).flatMap(({ delta }) => {
    const { text, thinking, partial_json } = (delta ?? {}) as Json;
    return text ?? thinking ?? partial_json ?? [];
  });
}

/** A reply of one text. */
export function textReply(content: string, options: Partial<MessageReply> = {}): MessageReply {
  return { content: [{ type: "text", text: content }], ...options };
}

/** Reads the stream until it has seen `wanted`, and leaves it open. */
export async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  wanted: string,
): Promise<string> {
  const decoder = new TextDecoder();
  let seen = "";
  while (!seen.includes(wanted)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended before ${wanted}: ${seen}`);
    seen += decoder.decode(value, { stream: true });
  }
  return seen;
}

/** The response's body, piece by piece. */
export function readerOf(response: Response): ReadableStreamDefaultReader<Uint8Array> {
  if (response.body === null) throw new Error("the response has no body");
  return response.body.getReader();
}
