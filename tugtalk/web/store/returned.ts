/** Messages that Claude has not read and the host keeps: back into the composer, or away. */
import type { ReturnedMessage } from "../../client/host-api.ts";
import { CommandError } from "../../client/transports/transport.ts";
import type { App } from "./app.ts";
import type { Drafts } from "./drafts.ts";
import type { SessionStore } from "./session-store.ts";

type ReturnedApp = Pick<App, "drafts" | "toasts">;

/** Puts a message into the composer, and then takes it from the host. */
export async function takeBack(
  app: ReturnedApp,
  session: SessionStore,
  messageId: string,
): Promise<void> {
  const read = session.command("read_returned", { message_id: messageId });
  await app.toasts.attempt(read.then((message) => takeAll(app, session, [message])));
}

/** Ids of messages that are back, since the host may give one to a button and to the answer of Stop. */
const inComposers = new WeakMap<Drafts, Set<string>>();

/** The same for whole messages, oldest first. Rejects if the host cannot be reached. */
export async function takeAll(
  { drafts }: ReturnedApp,
  session: SessionStore,
  messages: readonly ReturnedMessage[],
): Promise<void> {
  const inComposer = inComposers.get(drafts) ?? new Set();
  inComposers.set(drafts, inComposer);
  for (const { message_id, message, attachments } of messages.toReversed()) {
    if (inComposer.has(message_id)) continue;
    inComposer.add(message_id);
    drafts.giveBack(session.id, message, attachments);
  }
  await Promise.all(messages.map(({ message_id }) => take(session, message_id)));
}

/** Nobody wants it any more; ArrowUp still brings its text back. */
export async function discard(
  { drafts, toasts }: ReturnedApp,
  session: SessionStore,
  { messageId, text }: { readonly messageId: string; readonly text: string },
): Promise<void> {
  const { recent } = drafts.of(session.id);
  recent.value = [...recent.value, text];
  await toasts.attempt(take(session, messageId));
}

/** Another tab may have been first. */
async function take(session: SessionStore, messageId: string): Promise<void> {
  try {
    await session.command("take_returned", { message_id: messageId });
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== "already_taken") throw error;
  }
}
