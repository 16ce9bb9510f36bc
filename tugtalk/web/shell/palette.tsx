/** Everything that can be done, by a few letters of its name. */
import { useComputed, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { useModal } from "../elements/dialog.tsx";
import { Icon } from "../elements/icon.tsx";
import { KeyView } from "../elements/key-view.tsx";
import { Option } from "../elements/option.tsx";
import { OPTION_STEPS } from "../elements/option-steps.ts";
import { useApp } from "../store/app.ts";
import { rankMatches } from "./fuzzy.ts";
import { type Choices, type PaletteItem, paletteItems, searchItem } from "./palette-items.ts";

/** More than a person reads; further letters find the others. */
const SHOWN_ITEMS = 50;

export function Palette() {
  const { close } = useApp();
  const modal = useModal(close);
  return (
    <dialog {...modal} closedby="any" class="dialog palette" aria-label="Command palette">
      <Search
        onRun={(run) => {
          close();
          run();
        }}
      />
    </dialog>
  );
}

type SearchProps = { readonly onRun: (run: () => void) => void };

function Search({ onRun }: SearchProps) {
  const id = useId();
  const { query, at, found, question, type, choose } = useFound(onRun);
  const selected = found[at.value];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = OPTION_STEPS[event.key];
    if (step !== undefined && found.length > 0)
      at.value = (at.value + step + found.length) % found.length;
    else if (event.key === "Enter" && selected !== undefined) choose(selected);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        type="text"
        class="palette-field"
        role="combobox"
        aria-label={question ?? "What do you want to do?"}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={selected && idOf(id, selected)}
        placeholder={question ?? "Actions, sessions, commands"}
        autoComplete="off"
        spellcheck={false}
        value={query.value}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Results id={id} found={found} selected={selected} onChoose={choose} />
    </>
  );
}

/** The items for the typed text, among all or among the choices of an item. */
function useFound(onRun: SearchProps["onRun"]) {
  const app = useApp();
  const query = useSignal("");
  const at = useSignal(0);
  const choices = useSignal<Choices | undefined>(undefined);
  const all = useComputed(() => paletteItems(app));
  const found = useComputed(() => {
    const items = choices.value?.items() ?? all.value;
    const ranked = rankMatches(query.value, items, searchedText).slice(0, SHOWN_ITEMS);
    return [...ranked, ...(choices.value?.last() ?? searchItem(app, query.value))];
  });
  const type = (text: string) => {
    query.value = text;
    at.value = 0;
  };
  const choose = (item: PaletteItem) => {
    if ("run" in item) return onRun(item.run);
    if ("more" in item) return item.more();
    choices.value = item.next;
    type("");
  };
  return { query, at, found: found.value, question: choices.value?.question, type, choose };
}

function searchedText({ label, alias = "" }: PaletteItem): string {
  return `${label} ${alias}`.trim();
}

type ResultsProps = {
  readonly id: string;
  readonly found: readonly PaletteItem[];
  readonly selected: PaletteItem | undefined;
  readonly onChoose: (item: PaletteItem) => void;
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
    </div>
  );
}

function idOf(list: string, { id }: PaletteItem): string {
  return `${list}-${id.replaceAll(/[^\w-]/g, "_")}`;
}
