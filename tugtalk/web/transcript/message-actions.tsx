/** The actions with a message of a person. */
import { useSignal } from "@preact/signals";
import type { UserItem } from "../../client/transcript-models.ts";
import { CopyButton } from "../elements/copy-button.tsx";
import { IconButton } from "../elements/icon-button.tsx";
import { withCode } from "../elements/lazy.tsx";
import { type App, useApp } from "../store/app.ts";
import { canRetry } from "../store/retry.ts";
import type { SessionStore } from "../store/session-store.ts";

type MessageActionsProps = { readonly session: SessionStore; readonly item: UserItem };

export function MessageActions({ session, item }: MessageActionsProps) {
  return (
    <div class="message-actions">
      <CopyButton text={item.text} label="Copy message" />
      {canRetry(item, session) && <RewindButtons session={session} item={item} />}
    </div>
  );
}

function RewindButtons({ session, item }: MessageActionsProps) {
  const app = useApp();
  const { isBusy, retry } = useRetry(app, session, item);
  return (
    <>
      <IconButton
        icon="back-to"
        label="Back to here"
        title="Back to here: files, conversation, or both"
        class="rewinds"
        onClick={() => app.openWayBack({ item })}
      />
      <IconButton
        icon="edit"
        label="Edit and try again"
        title="Edit and try again, in a copy of the conversation up to here"
        class="rewinds"
        isBusy={isBusy}
        onClick={retry}
      />
    </>
  );
}

/** Every click would make another copy, so that there is one at a time. */
function useRetry(app: App, session: SessionStore, item: UserItem) {
  const isBusy = useSignal(false);
  const end = () => {
    isBusy.value = false;
  };
  const retry = () => {
    if (isBusy.value) return;
    isBusy.value = true;
    withCode(
      app,
      () => import("./edit-and-retry.ts"),
      ({ editAndRetry }) => editAndRetry(app, session, item).finally(end),
      end,
    );
  };
  return { isBusy: isBusy.value, retry };
}
