/** Something that a person is told. */
import { viewNotice } from "../../client/views/notice-view.ts";
import type { Notice } from "../../src/messages/transcript-models.ts";
import type { SessionStore } from "../store/session-store.ts";
import { Countdown } from "./countdown.tsx";
import { NotAnswered } from "./not-answered.tsx";

type NoticeRowProps = { readonly session: SessionStore; readonly notice: Notice };

export function NoticeRow({ session, notice }: NoticeRowProps) {
  const { severity, text, detail, until } = viewNotice(notice);
  return (
    <div class={`notice notice-${severity}`}>
      <p>
        {text}
        {until !== undefined && <Countdown until={until} />}
      </p>
      {detail !== undefined && (
        <details>
          <summary>Details</summary>
          <pre class="raw">{detail}</pre>
        </details>
      )}
      {notice.kind === "message" && notice.text !== undefined && !isReturned(session, notice) && (
        <NotAnswered session={session} text={notice.text}>
          It has never reached the model.
        </NotAnswered>
      )}
    </div>
  );
}

/** It is offered above the composer, with its attachments. */
function isReturned(
  { returned }: SessionStore,
  { messageId }: Extract<Notice, { kind: "message" }>,
) {
  return returned.value.some((message) => message.messageId === messageId);
}
