/** The message in what a caller passes: the thing itself, or the data of a host's frame. */
import { type Fields, isFields } from "../claude-value.ts";
import type { IncomingMessage } from "./applied-messages.ts";

/** Undefined if there is no message in it. */
export function incomingMessage(input: unknown): IncomingMessage | undefined {
  if (!isFields(input)) return undefined;
  if (isTyped(input)) return { message: input };
  const { t, d, e, q } = input;
  if (typeof t !== "string") return undefined;
  const message = { ...(isFields(d) ? d : {}), type: t };
  const isNumbered = (typeof e === "string" || typeof e === "number") && typeof q === "number";
  return isNumbered ? { message, frame: { epoch: String(e), seq: q } } : { message };
}

function isTyped(fields: Fields): fields is IncomingMessage["message"] {
  return typeof fields["type"] === "string";
}
