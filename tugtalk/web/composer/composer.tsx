/** Where a person writes to Claude. Parts that a first line does not need are loaded when they are needed. */
import { useComputed, useSignal } from "@preact/signals";
import { lazy, withCode } from "../elements/lazy.tsx";
import { useWindowListener } from "../elements/use-window-listener.ts";
import { type App, useApp } from "../store/app.ts";
import type { Draft } from "../store/drafts.ts";
import { isLost } from "../store/host-store.ts";
import type { SessionStore } from "../store/session-store.ts";
import { Buttons } from "./buttons.tsx";
import { Field } from "./field.tsx";
import { NOT_CONNECTED } from "./placeholder.ts";
import { takeFiles } from "./take-files.ts";

const QueuedMessages = lazy(async () => (await import("./queued-messages.tsx")).QueuedMessages);
const AttachmentList = lazy(async () => (await import("./attachment-list.tsx")).AttachmentList);

export function Composer({ session }: { readonly session: SessionStore }) {
  const app = useApp();
  const draft = app.drafts.of(session.id);
  const hasWaiting = useComputed(
    () =>
      session.queue.value.length + session.returned.value.length + draft.unanswered.value.length >
      0,
  );
  const hasFiles = useComputed(() => draft.attachments.value.length > 0);
  useEscape(app, session, draft);
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send(app, session.id);
      }}
    >
      {hasWaiting.value && <QueuedMessages session={session} />}
      <div class="composer-box">
        {hasFiles.value && <AttachmentList draft={draft} />}
        <Field
          session={session}
          draft={draft}
          send={(delivery) => send(app, session.id, delivery)}
        />
        <Buttons session={session} draft={draft} sendNow={() => send(app, session.id, "now")} />
      </div>
      <Drop sessionId={session.id} />
    </form>
  );
}

/** Text that is typed while the code is loaded belongs to the next message. */
function send(app: App, id: string, delivery?: "now"): void {
  const { host, drafts, toasts } = app;
  if (isLost(host)) {
    toasts.show({ severity: "info", text: NOT_CONNECTED });
    return;
  }
  const message = drafts.take(id);
  if (message === undefined) return;
  withCode(
    app,
    () => import("../store/send-message.ts"),
    (code) => code.sendMessage(app, id, message, delivery),
    () => {
      drafts.giveBack(id, message.text, message.attachments);
      drafts.settle(id, message);
    },
  );
}

/** Escape, where nothing that is open takes it: the browser closes dialogs and popovers after the event. */
function useEscape(app: App, session: SessionStore, draft: Draft): void {
  useWindowListener("keydown", ({ key, isComposing, defaultPrevented }) => {
    if (key !== "Escape" || isComposing || defaultPrevented) return;
    if (document.querySelector("dialog[open], :popover-open") !== null) return;
    // A later stop would stop something else.
    if (app.host.status.value !== "connected") return;
    const text = draft.text.value;
    withCode(
      app,
      () => import("../store/stop.ts"),
      (code) => code.onEscape(app, session, text),
    );
  });
}

/** Lies over the page while files are dragged over it, and takes them. */
function Drop({ sessionId }: { readonly sessionId: string }) {
  const app = useApp();
  const isDragging = useSignal(false);
  useWindowListener("dragenter", ({ dataTransfer }) => {
    isDragging.value = dataTransfer?.types.includes("Files") ?? false;
  });
  // The browser opens a file that nobody takes in place of the page.
  useWindowListener("dragover", (event) => isDragging.value && event.preventDefault());
  useWindowListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) isDragging.value = false;
  });
  useWindowListener("drop", (event) => {
    if (isDragging.value) takeFiles(app, sessionId, event, event.dataTransfer?.files);
    isDragging.value = false;
  });
  return isDragging.value ? (
    <div class="drop-zone" role="status">
      Drop files to attach them
    </div>
  ) : null;
}
