/** What can be done with a message of a person. */
import { useSignal } from "@preact/signals";
import type { UserItem } from "../../client/transcript-models.ts";
import { CopyButton } from "../elements/copy-button.tsx";
import { IconButton } from "../elements/icon-button.tsx";
import { useApp } from "../store/app.ts";
import { canRetry, editAndRetry } from "../store/retry.ts";
import type { SessionStore } from "../store/session-store.ts";

type MessageActionsProps = { readonly session: SessionStore; readonly item: UserItem };

export function MessageActions({ session, item }: MessageActionsProps) {
  return (
    <div class="message-actions">
      <CopyButton text={item.text} label="Copy message" />
      {canRetry(item) && <RetryButton session={session} item={item} />}
    </div>
  );
}

/** Every click would make another copy. */
function RetryButton({ session, item }: MessageActionsProps) {
  const app = useApp();
  const isBusy = useSignal(false);
  const retry = async () => {
    isBusy.value = true;
    await editAndRetry(app, session, item);
    isBusy.value = false;
  };
  return (
    <IconButton
      icon="edit"
      label="Edit and try again"
      title="Edit and try again, in a copy of the conversation up to here"
      disabled={isBusy.value}
      onClick={() => void retry()}
    />
  );
}
