/** Asks whether files, conversation or both go back to before a message of a person, and where, and shows the effects first. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { RewindPreview } from "../../client/rewind-models.ts";
import { isRunning } from "../../client/task-status.ts";
import type { UserItem } from "../../client/transcript-models.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { Dialog } from "../elements/dialog.tsx";
import { focusMessageField } from "../elements/message-field.ts";
import { useApp, type WayBack } from "../store/app.ts";
import { FolderProvider, useFolderOf } from "../store/folder.ts";
import { isInTheWay, previewRewind, type RewindWish, rewind } from "../store/rewind.ts";
import type { SessionStore } from "../store/session-store.ts";
import { errorText } from "../store/toasts.ts";
import { FilePath } from "../tools/file-path.tsx";
import { choicesOf, fileProblem, filesText, type What } from "./rewind-choices.ts";

type OfSession = { readonly session: SessionStore };

export function RewindDialog({ session }: OfSession) {
  const way = useApp().wayBack.value;
  const folder = useFolderOf(session.id);
  return (
    way && (
      <FolderProvider value={folder}>
        <WayBackDialog session={session} way={way} />
      </FolderProvider>
    )
  );
}

type WayBackProps = OfSession & { readonly way: WayBack };

function WayBackDialog({ session, way }: WayBackProps) {
  const { item, isRetry = false, known } = way;
  const { close } = useApp();
  const problem = useSignal<string | undefined>(undefined);
  const preview = usePreview(session, item, known, problem);
  const chosen = useSignal<What | undefined>(undefined);
  const where = useSignal<"here" | "fork">(isRetry ? "fork" : "here");
  const choices = preview === undefined ? [] : choicesOf(preview);
  const what = chosen.value ?? choices.find((choice) => choice.problem === undefined)?.what;
  const wish = wishOf(what, where.value);
  const { isBusy, go } = useGoBack({ session, item, wish, problem });
  return (
    <Dialog title={isRetry ? "Edit and try again" : "Back to here"}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void go();
        }}
      >
        <div class="dialog-body">
          <p class="rewind-message truncate strong" dir="auto">
            {showHidden(item.text)}
          </p>
          <WhatField choices={choices} what={what} chosen={chosen} />
          {wish.conversation !== undefined && <WhereField where={where} />}
          {preview !== undefined && wish.files && <Files preview={preview} />}
          <Said
            notes={preview === undefined ? undefined : notesOf(session, wish)}
            problem={problem.value}
          />
        </div>
        <footer class="dialog-actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button
            type="submit"
            class="primary"
            disabled={what === undefined}
            aria-disabled={isBusy}
          >
            {isInTheWay(session, wish) ? "Stop and go back" : "Go back"}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

type GoBack = OfSession & {
  readonly item: UserItem;
  readonly wish: RewindWish;
  readonly problem: Signal<string | undefined>;
};

/** Does it, and closes the dialog; or says why not. */
function useGoBack({ session, item, wish, problem }: GoBack) {
  const app = useApp();
  const isBusy = useSignal(false);
  const go = async () => {
    isBusy.value = true;
    problem.value = undefined;
    try {
      await rewind(app, session, item, wish);
      app.close();
      if (wish.conversation === "here") focusComposer();
    } catch (error) {
      problem.value = errorText(error);
    }
    isBusy.value = false;
  };
  return { isBusy: isBusy.value, go };
}

type SaidProps = {
  /** Undefined: the host is still asked. */
  readonly notes: readonly string[] | undefined;
  readonly problem: string | undefined;
};

function Said({ notes, problem }: SaidProps) {
  const waiting = problem === undefined ? "Looking which files can be put back…" : "";
  return (
    <>
      <p class="hint" role="status">
        {notes?.join(" ") ?? waiting}
      </p>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {showHidden(problem)}
        </p>
      )}
    </>
  );
}

function usePreview(
  session: SessionStore,
  item: UserItem,
  known: RewindPreview | undefined,
  problem: Signal<string | undefined>,
): RewindPreview | undefined {
  const preview = useSignal(known);
  useEffect(() => {
    if (known !== undefined) return;
    previewRewind(session, item).then(
      (told) => {
        preview.value = told;
      },
      (error: unknown) => {
        problem.value = errorText(error);
      },
    );
  }, []);
  return preview.value;
}

function wishOf(what: What | undefined, where: "here" | "fork"): RewindWish {
  const isOfConversation = what === "both" || what === "conversation";
  return {
    files: what === "both" || what === "files",
    conversation: isOfConversation ? where : undefined,
  };
}

type WhatProps = {
  readonly choices: ReturnType<typeof choicesOf>;
  readonly what: What | undefined;
  readonly chosen: Signal<What | undefined>;
};

/** It has the focus when the choices are known, unless a person has gone elsewhere meanwhile. */
function WhatField({ choices, what, chosen }: WhatProps) {
  const field = useRef<HTMLFieldSetElement>(null);
  const isKnown = choices.length > 0;
  useEffect(() => {
    const isWaiting = document.activeElement?.matches(".dialog-actions button") === true;
    if (isKnown && isWaiting) field.current?.querySelector<HTMLElement>("input:checked")?.focus();
  }, [isKnown]);
  if (!isKnown) return null;
  return (
    <fieldset ref={field} class="stack">
      <legend>What goes back to before this message</legend>
      {choices.map(({ what: value, label, problem }) => (
        <label key={value} class="choice">
          <input
            type="radio"
            name="what"
            checked={what === value}
            disabled={problem !== undefined}
            onChange={() => {
              chosen.value = value;
            }}
          />
          <span>
            {label}
            {problem !== undefined && <span class="hint"> {showHidden(problem)}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

const PLACES = { here: "In this session", fork: "In a new session" } as const;

function WhereField({ where }: { readonly where: Signal<"here" | "fork"> }) {
  return (
    <fieldset class="segments" aria-label="Where the conversation goes on">
      {(["here", "fork"] as const).map((place) => (
        <label key={place}>
          <input
            type="radio"
            name="where"
            checked={where.value === place}
            onChange={() => {
              where.value = place;
            }}
          />
          <span>{PLACES[place]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Files({ preview }: { readonly preview: RewindPreview }) {
  if (!preview.files.ok || fileProblem(preview) !== undefined) return null;
  return (
    <details class="stack" open={preview.files.paths.length <= 10}>
      <summary>{filesText(preview)}</summary>
      <ul class="list" aria-label="Files">
        {preview.files.paths.map((path) => (
          <li key={path}>
            <FilePath path={path} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The facts that a person should know before. */
function notesOf(session: SessionStore, wish: RewindWish): readonly string[] {
  const { files, conversation } = wish;
  const isEnding = conversation === "here" && session.backgroundTasks.value.some(isRunning);
  return [
    ...(files
      ? [
          "Files are put back as they were, whoever has changed them since.",
          "What only commands have changed, such as by Bash, stays as it is.",
        ]
      : []),
    ...(conversation === "here"
      ? ["Claude forgets this message and what followed; here it stays in sight, folded."]
      : []),
    ...(conversation === "fork" ? ["This session keeps its conversation."] : []),
    ...(conversation === "fork" && files ? ["Both have the same folder."] : []),
    ...(isEnding ? ["What runs in the background ends."] : []),
    ...(isInTheWay(session, wish) ? ["Claude is at work: it is stopped first."] : []),
  ];
}

/** Where the message is by now. After the dialog has given the focus back. */
function focusComposer(): void {
  requestAnimationFrame(focusMessageField);
}
