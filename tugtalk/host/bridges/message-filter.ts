/** The messages of a bridge on their way to its session. */
import type { OutboundMessage } from "../../src/types.ts";

export type FilteredMessages = {
  readonly messages: AsyncIterable<OutboundMessage>;
  /** Resolves when the session has read the last message. */
  readonly read: Promise<void>;
};

/** `isPassed` is called with each message. The session does not get the refused ones. */
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
    // A reader that only leaves its loop does not come here: another loop continues.
    resolve();
  };
  return { messages: { [Symbol.asyncIterator]: messages }, read };
}
