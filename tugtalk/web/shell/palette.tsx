/** Everything that can be done, by a few letters of its name. */
import { useComputed, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { useModal } from "../elements/dialog.tsx";
import { Icon } from "../elements/icon.tsx";
import { KeyView } from "../elements/key-view.tsx";
import { OPTION_STEPS, Option } from "../elements/option.tsx";
import { useApp } from "../store/app.ts";
import { rankMatches } from "./fuzzy.ts";
import { type PaletteItem, paletteItems } from "./palette-items.ts";

/** More than a person reads; further letters find the others. */
const SHOWN_ITEMS = 50;

export function Palette() {
  const { close } = useApp();
  const dialog = useModal();
  return (
    <dialog
      ref={dialog}
      closedby="any"
      class="dialog palette"
      aria-label="Command palette"
      onClose={close}
    >
      <Search
        onChoose={(item) => {
          close();
          item.run();
        }}
      />
    </dialog>
  );
}

type SearchProps = { readonly onChoose: (item: PaletteItem) => void };

function Search({ onChoose }: SearchProps) {
  const app = useApp();
  const id = useId();
  const query = useSignal("");
  const at = useSignal(0);
  const items = useComputed(() => paletteItems(app));
  const found = useComputed(() =>
    rankMatches(query.value, items.value, ({ label }) => label).slice(0, SHOWN_ITEMS),
  ).value;
  const selected = found[at.value];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = OPTION_STEPS[event.key];
    if (step !== undefined && found.length > 0)
      at.value = (at.value + step + found.length) % found.length;
    else if (event.key === "Enter" && selected !== undefined) onChoose(selected);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        type="text"
        class="palette-field"
        role="combobox"
        aria-label="What do you want to do?"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={selected && idOf(id, selected)}
        placeholder="Actions, sessions, commands"
        autoComplete="off"
        spellcheck={false}
        onInput={(event) => {
          query.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <Results id={id} found={found} selected={selected} onChoose={onChoose} />
    </>
  );
}

type ResultsProps = SearchProps & {
  readonly id: string;
  readonly found: readonly PaletteItem[];
  readonly selected: PaletteItem | undefined;
};

function Results({ id, found, selected, onChoose }: ResultsProps) {
  return (
    <div id={id} class="palette-list" role="listbox" aria-label="Found">
      {found.map((item) => (
        <Option
          key={item.id}
          id={idOf(id, item)}
          class="menu-item"
          isSelected={item === selected}
          onChoose={() => onChoose(item)}
        >
          <Icon name={item.icon} />
          <span class="truncate">{item.label}</span>
          {item.kind !== undefined && <span class="palette-kind muted">{item.kind}</span>}
          {item.keys !== undefined && <KeyView keys={item.keys} />}
        </Option>
      ))}
      {found.length === 0 && <p class="empty">Nothing found.</p>}
    </div>
  );
}

function idOf(list: string, { id }: PaletteItem): string {
  return `${list}-${id.replaceAll(/[^\w-]/g, "_")}`;
}
