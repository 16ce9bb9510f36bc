/** Stop: what waits is returned, and the turn is interrupted. */
import { ApiError } from "../api/api-error.ts";
import type { Withdrawn } from "../api/host-session.ts";
import { acceptedResponse } from "./bridge-refusal.ts";
import type { MessageDesk } from "./message-desk.ts";
import { withdrawn } from "./message-queue.ts";
import { CLOSING } from "./old-bridge.ts";
import type { SessionBridge } from "./session-bridge.ts";
import { eventSession, hostError } from "./session-events.ts";
import type { SessionLog } from "./session-log.ts";
import type { UnreadMessages } from "./unread-messages.ts";

export type InterruptOptions = { readonly includeBackground: boolean };

export type InterruptingPorts = {
  readonly log: SessionLog;
  readonly bridge: Pick<SessionBridge, "isClosing" | "running" | "request">;
  readonly messages: Pick<MessageDesk, "withdraw">;
  readonly unread: Pick<UnreadMessages, "sent" | "giveBack">;
};

/** Gives what has come back by it, which stays with the host until somebody takes it. */
export async function interrupt(
  ports: InterruptingPorts,
  options: InterruptOptions,
): Promise<Withdrawn> {
  const { bridge, messages, unread } = ports;
  // What waits is held.
  if (bridge.isClosing) throw CLOSING;
  const waiting = messages.withdraw();
  const { sent } = unread;
  const cancelled = await cancelledBy(ports, options, waiting.length > 0);
  unread.giveBack(cancelled);
  return withdrawn([...sent.filter(({ messageId }) => cancelled.includes(messageId)), ...waiting]);
}

/** The ids of messages that Claude has given back. A failure is thrown, or only told in the journal. */
async function cancelledBy(
  { log, bridge }: InterruptingPorts,
  { includeBackground }: InterruptOptions,
  isToldOnly: boolean,
): Promise<readonly string[]> {
  if (bridge.running === undefined) return [];
  try {
    const result = await bridge.request({
      type: "interrupt",
      cancel_queued: true,
      include_background: includeBackground,
    });
    acceptedResponse(result);
    return result.cancelled ?? [];
  } catch (error) {
    if (!isToldOnly || !(error instanceof ApiError)) throw error;
    log.append([hostError(eventSession(log.row.id), error.code, error.message)]);
    return [];
  }
}
