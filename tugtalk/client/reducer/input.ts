/** The message in what a caller passes: the thing itself, or the data of a host's frame. */
import type { IncomingMessage } from "./applied-messages.ts";
import { isFields } from "./message-fields.ts";

/** Undefined if there is no message in it. */
export function incomingMessage(input: unknown): IncomingMessage | undefined {
  if (!isFields(input)) return undefined;
  const { type, t, d, e, q } = input;
  if (typeof type === "string") return { message: { ...input, type } };
  if (typeof t !== "string") return undefined;
  const message = { ...(isFields(d) ? d : {}), type: t };
  const isNumbered = (typeof e === "string" || typeof e === "number") && typeof q === "number";
  return isNumbered ? { message, frame: { epoch: String(e), seq: q } } : { message };
}
