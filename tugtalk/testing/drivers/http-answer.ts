/** The answer of a host over HTTP, read to its end. */
import type { Fields } from "./host-clients.ts";

export type HttpAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** The text of an answer that is no JSON is its `text`. */
  readonly body: Fields;
};

/** Reads the body too: a connection is free again after that. */
export async function readAnswer(response: Response): Promise<HttpAnswer> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get("content-type")?.startsWith("application/json") === true;
  return { status, headers, body: isJson ? JSON.parse(text) : { text } };
}
