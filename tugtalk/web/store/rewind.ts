/** Goes back to before a message of a person: the preview, and the rewind. */
import type { RewindPreview } from "../../client/rewind-models.ts";
import type { UserItem } from "../../client/transcript-models.ts";
import type { App } from "./app.ts";
import { attachmentsOf } from "./message-attachments.ts";
import { goTo } from "./route.ts";
import type { SessionStore } from "./session-store.ts";
import { isInterruptible } from "./stop-action.ts";
import { until } from "./until.ts";

export type RewindWish = {
  readonly files: boolean;
  readonly conversation?: "here" | "fork" | undefined;
};

/** Rejects with `CommandError`. */
export async function previewRewind(
  session: SessionStore,
  { messageId: message_id = "" }: UserItem,
): Promise<RewindPreview> {
  const answer = await session.command("rewind", { message_id, dry_run: true });
  // The host's answer to it.
  return answer as RewindPreview;
}

/** Whether Claude has to be stopped for it. */
export function isInTheWay(
  { openEntries, queue, prompts }: SessionStore,
  { files, conversation }: RewindWish,
): boolean {
  if (!files && conversation !== "here") return false;
  const state = { openEntries: openEntries.value, queue: queue.value };
  const isAsked = conversation === "here" && prompts.value.length > 0;
  return isInterruptible(state) || isAsked;
}

/** The message is in the composer then, unless only files go back. Rejects with `CommandError`. */
export async function rewind(
  { drafts }: Pick<App, "drafts">,
  session: SessionStore,
  item: UserItem,
  wish: RewindWish,
): Promise<void> {
  const { files, conversation } = wish;
  if (isInTheWay(session, wish)) await stopClaude(session, conversation === "here");
  const answer = await session.command("rewind", {
    message_id: item.messageId ?? "",
    ...(files && { files }),
    ...(conversation !== undefined && { conversation }),
  });
  if (conversation === undefined) return;
  const copy = "session" in answer ? answer.session?.id : undefined;
  drafts.giveBack(copy ?? session.id, item.text, attachmentsOf(item.content));
  if (copy !== undefined) goTo({ name: "session", id: copy });
}

/** Resolves when no turn is open. Messages that waited are offered above the composer. */
async function stopClaude(session: SessionStore, include_background: boolean): Promise<void> {
  await session.command("interrupt", { include_background });
  const { openEntries, queue } = session;
  await until(() => !isInterruptible({ openEntries: openEntries.value, queue: queue.value }));
}
