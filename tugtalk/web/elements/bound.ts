/** Binds a field to the signal that has its text. */
import type { Signal } from "@preact/signals";

type TextElement = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The properties of the field. */
export function bound(text: Signal<string>) {
  const onInput = ({ currentTarget }: { readonly currentTarget: TextElement }) => {
    text.value = currentTarget.value;
  };
  return { value: text.value, onInput };
}
