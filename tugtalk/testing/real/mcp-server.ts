#!/usr/bin/env bun
/**
 * A tiny MCP server over stdio, for a real `claude` to call. `level` and `picture` answer at once,
 * `wait` when the address that it is given has answered, `ask` when a person has answered its form.
 * Run it with `mcpServer()` as its configuration.
 */
import { createInterface } from "node:readline";

type Fields = Readonly<Record<string, unknown>>;

type Request = {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: Fields;
};

/** The answer to a request of the server's own. */
type Response = { readonly id: number | string; readonly result?: Fields };

/** The configuration that starts this file as a server. */
export function mcpServer(): { type: "stdio"; command: string; args: string[] } {
  return { type: "stdio", command: process.execPath, args: [import.meta.path] };
}

const TOOLS = [
  tool("level", "place", "The level of the water."),
  tool("wait", "url", "Waits."),
  tool("ask", "question", "Asks a person."),
  tool("picture", "data", "Shows a PNG."),
];

/** The forms that a person has not answered. */
const openForms = new Map<unknown, (result: Fields | undefined) => void>();

function tool(name: string, argument: string, description: string): object {
  const properties = { [argument]: { type: "string" } };
  return { name, description, inputSchema: { type: "object", properties, required: [argument] } };
}

async function answer({ method, params = {} }: Request): Promise<object> {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params["protocolVersion"],
        capabilities: { tools: {} },
        serverInfo: { name: "tide", version: "1.0.0" },
      };
    case "tools/list":
      return { tools: TOOLS };
    case "tools/call":
      return { content: [await callTool(params)] };
    default:
      return {};
  }
}

async function callTool(params: Fields): Promise<Fields> {
  const given = (params["arguments"] ?? {}) as Fields;
  if (params["name"] === "picture")
    return { type: "image", data: given["data"], mimeType: "image/png" };
  return { type: "text", text: await textOf(params, given) };
}

async function textOf(params: Fields, given: Fields): Promise<string> {
  if (params["name"] === "level") return `high at ${given["place"]}`;
  if (params["name"] === "ask") return `the answer: ${await ask(String(given["question"]))}`;
  return (await fetch(String(given["url"]))).text();
}

/** Asks for a name in a form; resolves with the outcome in words. */
async function ask(message: string): Promise<string> {
  const id = `form-${crypto.randomUUID()}`;
  const { promise, resolve } = Promise.withResolvers<Fields | undefined>();
  openForms.set(id, resolve);
  const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
  write({ id, method: "elicitation/create", params: { message, requestedSchema } });
  return String((await promise)?.["action"]);
}

async function serve(line: string): Promise<void> {
  const message = JSON.parse(line) as Request | Response;
  if (!("method" in message)) {
    openForms.get(message.id)?.(message.result);
    return;
  }
  if (message.id !== undefined) write({ id: message.id, result: await answer(message) });
}

function write(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

if (import.meta.main) {
  for await (const line of createInterface({ input: process.stdin })) void serve(line);
}
