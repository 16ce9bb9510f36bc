/** The fields of a new session. */
import { useSignalEffect } from "@preact/signals";
import { bound } from "../elements/bound.ts";
import { isSendKey } from "../elements/send-key.ts";
import { TextField } from "../elements/text-field.tsx";
import { useApp } from "../store/app.ts";
import { ModeField, ModelField } from "./model-and-mode.tsx";
import { hasWorktree, type NewSessionForm } from "./new-session-fields.ts";
import { PastConversationField } from "./past-conversations.tsx";
import { isHere, PlaceField, PlaceFolder } from "./place-and-folder.tsx";
import type { Places } from "./places.ts";
import { typedLimit } from "./session-text.ts";

type FieldProps = { readonly form: NewSessionForm };

type FieldsetProps = FieldProps & {
  /** Undefined before the host has sent them. */
  readonly places: Places | undefined;
};

export function NewSessionFieldset({ form, places }: FieldsetProps) {
  return (
    <>
      <Kind isPast={form.isPast} />
      <PlaceFolder place={form.place} dir={form.dir} />
      {form.isPast.value ? <PastConversationField form={form} /> : <MessageField form={form} />}
      <div class="field-row">
        <ModelField text={form.model} />
        <ModeField mode={form.permission_mode} />
      </div>
      <details>
        <summary>More</summary>
        <div class="field-row">
          <TextField
            label="Title"
            text={form.title}
            maxLength={500}
            placeholder="Your first message"
          />
          <PlaceField place={form.place} dir={form.dir} places={places?.places ?? []} />
          <LimitField form={form} />
          <WorktreeField form={form} />
        </div>
        <MirrorField isMirrored={form.isMirrored} />
      </details>
    </>
  );
}

function Kind({ isPast }: Pick<NewSessionForm, "isPast">) {
  return (
    <fieldset class="segments" aria-label="Conversation">
      {[false, true].map((isOld) => (
        <label key={String(isOld)}>
          <input
            type="radio"
            name="kind"
            checked={isPast.value === isOld}
            onChange={() => {
              isPast.value = isOld;
            }}
          />
          <span>{isOld ? "Past conversation" : "New conversation"}</span>
        </label>
      ))}
    </fieldset>
  );
}

function MessageField({ form: { message } }: FieldProps) {
  return (
    <label class="field">
      <span>What should Claude do?</span>
      <textarea
        dir="auto"
        data-first
        rows={3}
        placeholder="You can also say it later."
        {...bound(message)}
        onKeyDown={(event) => {
          if (!isSendKey(event)) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
    </label>
  );
}

/** Offered where the folder is in a Git repository. */
function WorktreeField({ form }: FieldProps) {
  const { host } = useApp();
  const { place, dir, inRepository, worktree } = form;
  useSignalEffect(() => {
    const path = dir.value.trim();
    const ask = async () =>
      isHere(place.value) && (await host.transport.command("dirs", { path })).in_repository;
    ask()
      // The folder is still being typed, or there is none.
      .catch(() => false)
      .then((isIn) => {
        if (dir.peek().trim() === path) inRepository.value = isIn;
      });
  });
  if (!hasWorktree(form)) return null;
  return (
    <div>
      <TextField label="Git worktree" text={worktree} maxLength={64} placeholder="None" />
      <small class="muted">
        Claude works in a checkout with this name, on a branch of its own. A new one begins at the
        default branch of origin, or without one at the latest commit.
      </small>
    </div>
  );
}

function MirrorField({ isMirrored }: Pick<NewSessionForm, "isMirrored">) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={isMirrored.value}
        onChange={(event) => {
          isMirrored.value = event.currentTarget.checked;
        }}
      />
      <span>Keep the conversation on the host, so that the session can move</span>
    </label>
  );
}

function LimitField({ form: { limit } }: FieldProps) {
  const isWrong = typedLimit(limit.value) === undefined;
  return (
    <div>
      <TextField
        label="Limit in US dollars"
        text={limit}
        inputMode="decimal"
        placeholder="No limit"
      />
      {isWrong && <p class="problem">Enter an amount above 0, such as 2.50.</p>}
    </div>
  );
}
