/** The messages of a bridge on their way to its session. */
import type { OutboundMessage } from "../../src/types.ts";

export type FilteredMessages = {
  readonly messages: AsyncIterable<OutboundMessage>;
  /** Resolves when the session has read the last one. */
  readonly read: Promise<void>;
};

/** `isPassed` is called with each message; the session does not get those that it refuses. */
export function filterMessages(
  source: AsyncIterable<OutboundMessage>,
  isPassed: (message: OutboundMessage) => boolean,
): FilteredMessages {
  const { promise: read, resolve } = Promise.withResolvers<void>();
  const messages = async function* () {
    try {
      for await (const message of source) if (isPassed(message)) yield message;
    } catch (error) {
      resolve();
      throw error;
    }
    // Not where a loop is left, which another one continues.
    resolve();
  };
  return { messages: { [Symbol.asyncIterator]: messages }, read };
}
