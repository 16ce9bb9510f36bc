/** What every request to the host has, and what it answers. */
import { type Fields, isFields } from "../claude-value.ts";
import { CommandError, type HostAddress } from "./transport.ts";

export function headersOf({ token, clientName }: HostAddress): Headers {
  const headers = new Headers();
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  // A header takes no letters beyond Latin-1.
  if (clientName !== undefined) headers.set("x-client-name", encodeURIComponent(clientName));
  return headers;
}

/** The body of an answer; a text has the form that it has on the WebSocket. */
export async function bodyOf(response: Response): Promise<Fields> {
  const text = await response.text();
  const contentType = response.headers.get("content-type") ?? "";
  if (!contentType.startsWith("application/json")) return { contentType, text };
  const value: unknown = JSON.parse(text);
  return isFields(value) ? value : {};
}

export async function refusalOf(response: Response): Promise<CommandError> {
  return new CommandError(response.status, await bodyOf(response));
}
