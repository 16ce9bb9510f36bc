/** Sends the draft, once. */
import { CommandError } from "../../client/transports/transport.ts";
import type { App } from "./app.ts";
import type { UnansweredMessage } from "./drafts.ts";
import { type HostStore, untilConnected } from "./host-store.ts";

type SendingApp = Pick<App, "drafts" | "host" | "toasts">;

/** Sends the draft of a session. */
export async function sendDraft(app: SendingApp, sessionId: string): Promise<void> {
  const message = app.drafts.take(sessionId);
  if (message !== undefined) await sendMessage(app, sessionId, message);
}

/** Sends the text and attachments of the draft. A message that the host refuses comes back into it. */
export async function sendMessage(
  { drafts, host, toasts }: SendingApp,
  sessionId: string,
  message: UnansweredMessage,
  delivery?: "now",
): Promise<void> {
  try {
    await deliver(host, { id: sessionId, ...(delivery && { delivery }) }, message);
  } catch (error) {
    drafts.giveBack(sessionId, message.text, message.attachments);
    toasts.fail(error);
  }
  drafts.settle(sessionId, message);
}

/** A message that got no answer is sent again with its id, so that the host takes it once. */
async function deliver(
  host: HostStore,
  ofMessage: { readonly id: string; readonly delivery?: "now" },
  { clientMessageId, text, attachments }: UnansweredMessage,
): Promise<void> {
  const fields = {
    ...ofMessage,
    message: text,
    client_msg_id: clientMessageId,
    ...(attachments.length > 0 && { attachments }),
  };
  for (;;) {
    try {
      await host.transport.command("message", fields);
      return;
    } catch (error) {
      if (!(error instanceof CommandError) || error.code !== "disconnected") throw error;
      await untilConnected(host);
    }
  }
}
