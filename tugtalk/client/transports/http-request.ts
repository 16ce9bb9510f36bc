/** The common parts of requests to the host, and of their answers. */
import { type Fields, isFields } from "../claude-value.ts";
import type { HostCommand } from "../host-routes.ts";
import { commandRequest } from "./command-request.ts";
import { CommandError, type HostAddress } from "./transport.ts";

/** Sends a command; its answer may be a refusal. Rejects as `fetch` does. */
export function fetchCommand(
  address: HostAddress,
  name: HostCommand,
  fields: Fields,
  signal: AbortSignal,
): Promise<Response> {
  const { method, path, body } = commandRequest(name, fields);
  const headers = headersOf(address);
  if (body !== undefined) headers.set("content-type", "application/json");
  const init = { method, headers, signal, ...(body !== undefined && { body }) };
  return fetch(new URL(path, address.url), init);
}

export function headersOf({ token, clientName }: HostAddress): Headers {
  const headers = new Headers();
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  // A header takes no letters beyond Latin-1.
  if (clientName !== undefined) headers.set("x-client-name", encodeURIComponent(clientName));
  return headers;
}

/** The body of an answer; a text has the form that it has on the WebSocket. */
export async function bodyOf(response: Response): Promise<Fields> {
  if (!contentTypeOf(response).startsWith("application/json")) return textOf(response);
  const value: unknown = await response.json();
  return isFields(value) ? value : {};
}

/** For an answer that is a text, also where the text is JSON. */
export async function textOf(response: Response): Promise<Fields> {
  return { contentType: contentTypeOf(response), text: await response.text() };
}

function contentTypeOf({ headers }: Response): string {
  return headers.get("content-type") ?? "";
}

export async function refusalOf(response: Response): Promise<CommandError> {
  return new CommandError(response.status, await bodyOf(response));
}
