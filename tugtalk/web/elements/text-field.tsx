/** A labelled field of one line whose text is a signal. */
import type { Signal } from "@preact/signals";

export type TextFieldProps = {
  readonly label: string;
  readonly text: Signal<string>;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly required?: boolean;
  /** The id of a list of suggestions. */
  readonly list?: string;
  readonly inputMode?: "text" | "decimal";
};

export function TextField({ label, text, ...input }: TextFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        {...input}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
    </label>
  );
}
