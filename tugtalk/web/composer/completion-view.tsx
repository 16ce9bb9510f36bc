/** The list of a completion above the field, which keeps the focus. */
import { useEffect, useId, useRef } from "preact/hooks";
import type { Choice } from "./completion.ts";
import type { CompletionList } from "./completion-list.ts";

type ViewProps = { readonly list: CompletionList; readonly field: HTMLTextAreaElement };

export function CompletionView({ list, field }: ViewProps) {
  const id = useId();
  const { value: choices } = list.choices;
  const { value: selected } = list.selected;
  useCombobox(field, id, choices.length === 0 ? undefined : `${id}-${selected}`);
  if (choices.length === 0) return null;
  return (
    <div id={id} class="completion" role="listbox" tabIndex={-1} aria-label="Completions">
      {choices.map((choice, index) => (
        <Option
          key={choice.label}
          id={`${id}-${index}`}
          choice={choice}
          isSelected={index === selected}
          onChoose={() => list.choose(index)}
        />
      ))}
    </div>
  );
}

/** While the list is open, the field says so to screen readers. */
function useCombobox(field: HTMLTextAreaElement, id: string, option: string | undefined): void {
  useEffect(() => {
    if (option === undefined) return;
    const attributes = {
      role: "combobox",
      "aria-expanded": "true",
      "aria-haspopup": "listbox",
      "aria-autocomplete": "list",
      "aria-controls": id,
      "aria-activedescendant": option,
    };
    for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
    return () => {
      for (const name of Object.keys(attributes)) field.removeAttribute(name);
    };
  }, [field, id, option]);
}

type OptionProps = {
  readonly id: string;
  readonly choice: Choice;
  readonly isSelected: boolean;
  readonly onChoose: () => void;
};

function Option({ id, choice, isSelected, onChoose }: OptionProps) {
  const { label, hint, detail, category } = choice;
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSelected) option.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    // The keys belong to the field, which keeps the focus.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      ref={option}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      class="completion-option"
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span class="completion-name">{label}</span>
      {hint !== undefined && <span class="completion-hint">{hint}</span>}
      {category !== undefined && <span class="completion-category">{category}</span>}
      {detail !== undefined && <span class="completion-detail">{detail}</span>}
    </div>
  );
}
