/** Shows the whole of a long text in the field, on demand. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { Icon } from "../elements/icon.tsx";

export type GrowButtonProps = {
  readonly field: HTMLTextAreaElement;
  readonly text: ReadonlySignal<string>;
};

/** Makes the field as high as its text, where the browser does not. */
function fit(field: HTMLTextAreaElement): void {
  if (CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}

export function GrowButton({ field, text }: GrowButtonProps) {
  const isTall = useSignal(false);
  const isCut = useSignal(false);
  const { value } = text;
  useLayoutEffect(() => {
    fit(field);
    field.classList.toggle("is-tall", isTall.value && value !== "");
    if (value === "") isTall.value = false;
    isCut.value = field.scrollHeight > field.clientHeight + 1;
  });
  if (!isTall.value && !isCut.value) return null;
  const label = isTall.value ? "Show less of the text" : "Show the whole text";
  return (
    <button
      type="button"
      class="icon-button grow-button"
      title={label}
      aria-label={label}
      onClick={() => {
        isTall.value = !isTall.value;
        field.focus();
      }}
    >
      <Icon name={isTall.value ? "chevron-down" : "chevron-up"} />
    </button>
  );
}
