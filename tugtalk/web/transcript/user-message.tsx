/** What a person has said. */
import { showHidden } from "../../client/views/visible-text.ts";
import type { UserItem } from "../../src/messages/transcript-models.ts";
import { lazy } from "../elements/lazy.tsx";
import type { SessionStore } from "../store/session-store.ts";

const Attachments = lazy(async () => (await import("./transcript-parts.ts")).PARTS.Attachments);
const MessageActions = lazy(
  async () => (await import("./transcript-parts.ts")).PARTS.MessageActions,
);
const NotAnswered = lazy(async () => (await import("./transcript-parts.ts")).PARTS.NotAnswered);

type UserMessageProps = { readonly session: SessionStore; readonly item: UserItem };

export function UserMessage({ session, item }: UserMessageProps) {
  const { key, text, content, status } = item;
  return (
    <div class="asked" data-item={key}>
      <div class="user">{showHidden(text)}</div>
      {content !== undefined && <Attachments content={content} />}
      {(status === "failed" || status === "cancelled") && (
        <NotAnswered session={session} text={text}>
          This message was not answered.
        </NotAnswered>
      )}
      <MessageActions session={session} item={item} />
    </div>
  );
}
