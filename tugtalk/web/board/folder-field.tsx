/** A field for a folder on the machine of the host: typed with completion, or found by going up and down. */
import { type ReadonlySignal, type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useId } from "preact/hooks";
import type { FolderList } from "../../client/host-api.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { Icon } from "../elements/icon.tsx";
import { Option } from "../elements/option.tsx";
import { OPTION_STEPS } from "../elements/option-steps.ts";
import { useApp } from "../store/app.ts";
import { shortDir } from "./short-dir.ts";
import { asFolder, completions, typedPath } from "./typed-path.ts";

type FolderFieldProps = { readonly path: Signal<string> };

export function FolderField({ path }: FolderFieldProps) {
  const list = useFolders(path);
  const active = useSignal(-1);
  const listId = useId();
  const folders = completions(list.value?.dirs ?? [], typedPath(path.value).prefix);
  const choose = (chosen: string) => {
    path.value = asFolder(chosen);
    active.value = -1;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = active.value + (OPTION_STEPS[event.key] ?? 0);
    const chosen = folders[active.value];
    if (event.key === "Enter" && chosen !== undefined) choose(chosen.path);
    else if (next !== active.value) active.value = Math.min(Math.max(next, -1), folders.length - 1);
    else return;
    event.preventDefault();
  };
  return (
    <div class="folder-field stack">
      <label class="field">
        <span>Folder</span>
        <input
          role="combobox"
          aria-expanded={folders.length > 0}
          aria-controls={listId}
          aria-activedescendant={active.value < 0 ? undefined : `${listId}-${active.value}`}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          value={path.value}
          onInput={(event) => {
            path.value = event.currentTarget.value;
            active.value = -1;
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <Recent dirs={list.value?.recent ?? []} onChoose={(dir) => choose(dir)} />
      <FolderOptions
        id={listId}
        parent={list.value?.parent}
        folders={folders}
        active={active.value}
        onChoose={choose}
      />
    </div>
  );
}

/** The folders in the typed folder; the earlier list until a new one comes. */
function useFolders(path: ReadonlySignal<string>): ReadonlySignal<FolderList | undefined> {
  const { host } = useApp();
  const list = useSignal<FolderList | undefined>(undefined);
  const shown = useSignal<string | undefined>(undefined);
  useSignalEffect(() => {
    const { folder } = typedPath(path.value);
    if (folder === undefined || folder === shown.peek()) return;
    shown.value = folder;
    host.transport.command("dirs", { path: folder }).then(
      (answer) => {
        if (shown.peek() === folder) list.value = answer;
      },
      // The person is still typing the path, and the host refuses a folder that does not exist.
      () => {
        if (shown.peek() === folder && list.peek() !== undefined)
          list.value = {
            path: folder,
            in_repository: false,
            dirs: [],
            recent: list.peek()?.recent ?? [],
          };
      },
    );
  });
  return list;
}

const SHOWN_RECENT = 6;

type RecentProps = {
  readonly dirs: readonly string[];
  readonly onChoose: (dir: string) => void;
};

function Recent({ dirs, onChoose }: RecentProps) {
  if (dirs.length === 0) return null;
  return (
    <fieldset class="row tight" aria-label="Recent folders">
      {dirs.slice(0, SHOWN_RECENT).map((dir) => (
        <button
          key={dir}
          type="button"
          class="small"
          title={showHidden(dir)}
          onClick={() => onChoose(dir)}
        >
          {shortDir(dir)}
        </button>
      ))}
    </fieldset>
  );
}

type FolderOptionsProps = {
  readonly id: string;
  readonly parent: string | undefined;
  readonly folders: FolderList["dirs"];
  /** The index of the folder that Enter chooses. */
  readonly active: number;
  readonly onChoose: (path: string) => void;
};

/** The folders that a person can go into, and their parent. */
function FolderOptions({ id, parent, folders, active, onChoose }: FolderOptionsProps) {
  return (
    <div class="folder-options">
      {parent !== undefined && (
        <button
          type="button"
          class="quiet folder-up muted"
          aria-label={`Up to ${parent}`}
          onClick={() => onChoose(parent)}
        >
          <Icon name="arrow-up" /> {showHidden(parent)}
        </button>
      )}
      <div id={id} role="listbox" aria-label="Folders" tabIndex={-1}>
        {folders.map(({ name, path }, index) => (
          <Option
            key={path}
            id={`${id}-${index}`}
            class="folder-option"
            isSelected={index === active}
            onChoose={() => onChoose(path)}
          >
            {showHidden(name)}
          </Option>
        ))}
      </div>
      {folders.length === 0 && <p class="muted small">No folder to go into.</p>}
    </div>
  );
}
