/** The ways to refuse: the first "Deny" asks for the reason, Enter or the second one sends it. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { deny } from "../../client/answers.ts";
import { textOf } from "../../client/claude-value.ts";
import { Icon } from "../elements/icon.tsx";
import { useHeldKey } from "./held-key.ts";
import type { PromptActions } from "./prompt-actions.ts";

type DenialProps = {
  readonly actions: PromptActions;
  /** On the button; "Deny" if absent. */
  readonly label?: string;
  /** The label of the field for the reason. */
  readonly reasonLabel?: string;
  /** Other actions, beside the button. */
  readonly children?: ComponentChildren;
};

export function Denial({ actions, label = "Deny", reasonLabel, children }: DenialProps) {
  const { form, isDisabled } = actions;
  const button = useRef<HTMLButtonElement>(null);
  const isOpened = useRef(false);
  const isDenying = form.draft.value["isDenying"] === true;
  const close = () => {
    form.set({ isDenying: false });
    button.current?.focus();
  };
  return (
    <>
      {isDenying && (
        <Reason
          actions={actions}
          isFocused={isOpened.current}
          onClose={close}
          label={reasonLabel}
        />
      )}
      <div class="buttons">
        {children}
        <button
          ref={button}
          type="button"
          class="danger"
          disabled={isDisabled}
          aria-keyshortcuts={isDenying ? undefined : "N"}
          onClick={({ detail }) => {
            isOpened.current = true;
            if (!isDenying) form.set({ isDenying: true });
            else if (detail < 2) sendDenial(actions);
          }}
        >
          <Icon name="shield-x" /> {label} {!isDenying && <kbd>N</kbd>}
        </button>
        {isDenying && (
          <button
            type="button"
            class="danger"
            disabled={isDisabled}
            onClick={() => sendDenial(actions, { interrupt: true })}
          >
            Deny and stop
          </button>
        )}
      </div>
    </>
  );
}

function sendDenial(
  { form, request, answer }: PromptActions,
  fields: { readonly interrupt?: true } = {},
): void {
  const reason = textOf(form.draft.value["reason"])?.trim();
  answer({ ...deny(request, reason), ...fields });
}

type ReasonProps = {
  readonly actions: PromptActions;
  /** It was opened by a person, and not by a reload. */
  readonly isFocused: boolean;
  readonly onClose: () => void;
  readonly label: string | undefined;
};

function Reason({
  actions,
  isFocused,
  onClose,
  label = "Reason for denial (optional)",
}: ReasonProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  // At once, so that no letter is lost that is typed after the key N.
  useLayoutEffect(() => {
    if (isFocused) field.current?.focus();
  }, [isFocused]);
  const holdBack = useHeldKey();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    holdBack(event, field.current);
    if (event.key === "Escape") onClose();
    else if (event.key !== "Enter" || event.shiftKey) return;
    else if (!actions.isDisabled) sendDenial(actions);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <textarea
      dir="auto"
      ref={field}
      class="prompt-reason"
      rows={1}
      aria-label={label}
      placeholder={label}
      aria-keyshortcuts="N"
      readOnly={actions.form.phase.value !== "open"}
      value={textOf(actions.form.draft.value["reason"]) ?? ""}
      onInput={({ currentTarget }) => actions.form.set({ reason: currentTarget.value })}
      onKeyDown={onKeyDown}
    />
  );
}
