/**
 * The messages that hosts send most, checked without a schema: their schemas return such a message as it
 * is. Any other one is not plain, valid or not, and `InboundMessage` reads it.
 */
import type { InboundMessage } from "../types.ts";
import { PLAIN_MESSAGES } from "./plain-checks.generated.ts";

const MESSAGES = new Map(Object.entries(PLAIN_MESSAGES));

/** Whether an object is a host message that its schema returns as it is. */
export function isPlainMessage(type: string, value: unknown): value is InboundMessage {
  return MESSAGES.get(type)?.(value) === true;
}
