/** The list of a completion above the field, which keeps the focus. */
import { useEffect, useId } from "preact/hooks";
import { showHidden } from "../../client/views/visible-text.ts";
import { Option } from "../elements/option.tsx";
import type { CompletionList } from "./completion-list.ts";

type ViewProps = { readonly list: CompletionList; readonly field: HTMLTextAreaElement };

export function CompletionView({ list, field }: ViewProps) {
  const id = useId();
  const { value: choices } = list.choices;
  const { value: selected } = list.selected;
  useCombobox(field, id, choices.length === 0 ? undefined : `${id}-${selected}`);
  if (choices.length === 0) return null;
  return (
    <div id={id} class="completion card" role="listbox" tabIndex={-1} aria-label="Completions">
      {choices.map(({ label, hint, category, detail }, index) => (
        <Option
          key={label}
          id={`${id}-${index}`}
          class="completion-option"
          isSelected={index === selected}
          onChoose={() => list.choose(index)}
        >
          <span class="completion-name strong">{showHidden(label)}</span>
          {hint !== undefined && <span class="completion-hint truncate muted">{hint}</span>}
          {category !== undefined && <span class="completion-category hint">{category}</span>}
          {detail !== undefined && (
            <span class="completion-detail clamp hint">{showHidden(detail)}</span>
          )}
        </Option>
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
