/** Tries an earlier message again, in a copy of the conversation. Loaded when a person wants to. */
import type { RewindPreview } from "../../client/rewind-models.ts";
import type { UserItem } from "../../client/transcript-models.ts";
import type { App } from "../store/app.ts";
import { attachmentsOf } from "../store/message-attachments.ts";
import { previewRewind } from "../store/rewind.ts";
import { goTo } from "../store/route.ts";
import type { SessionStore } from "../store/session-store.ts";
import { fileProblem } from "./rewind-choices.ts";

/** Where files were changed since the message, a person is asked about them first. */
export async function editAndRetry(app: App, session: SessionStore, item: UserItem): Promise<void> {
  const known = await changedFiles(session, item);
  if (known === undefined) await retryInCopy(app, session, item);
  else app.openWayBack({ item, isRetry: true, known });
}

/** Goes on from before a message in a new session, with the message in its composer. */
async function retryInCopy(
  app: App,
  session: SessionStore,
  { messageId, text, content }: UserItem,
): Promise<void> {
  const copy = await app.toasts.attempt(session.command("fork", { at_message: messageId }));
  if (copy === undefined) return;
  app.drafts.giveBack(copy.id, text, attachmentsOf(content));
  goTo({ name: "session", id: copy.id });
}

/** The effect of going back on files; undefined where none were changed, or nobody can tell. */
async function changedFiles(
  session: SessionStore,
  item: UserItem,
): Promise<RewindPreview | undefined> {
  if (session.status.value === "disconnected" || session.status.value === "failed")
    return undefined;
  try {
    const preview = await previewRewind(session, item);
    return fileProblem(preview) === undefined ? preview : undefined;
  } catch {
    // The command for the copy reports the failure.
    return undefined;
  }
}
