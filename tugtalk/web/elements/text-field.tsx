/** A labelled field of one line whose text is a signal. */
import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { bound } from "./bound.ts";

type TextFieldProps = {
  readonly label: string;
  readonly text: Signal<string>;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly required?: boolean;
  /** Texts to choose from, beside any other. */
  readonly suggestions?: readonly string[];
  readonly inputMode?: "text" | "decimal";
};

export function TextField({ label, text, suggestions, ...input }: TextFieldProps) {
  const list = useId();
  return (
    <>
      <label class="field">
        <span>{label}</span>
        <input type="text" dir="auto" {...input} {...(suggestions && { list })} {...bound(text)} />
      </label>
      {suggestions !== undefined && (
        <datalist id={list}>
          {[...new Set(suggestions)].map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  );
}
