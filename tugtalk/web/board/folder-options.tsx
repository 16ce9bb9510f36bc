/** The folders that a person can go into, and the one above them. */
import type { FolderList } from "../../client/host-api.ts";
import { Icon } from "../elements/icon.tsx";
import { Option } from "../elements/option.tsx";

type FolderOptionsProps = {
  readonly id: string;
  readonly parent: string | undefined;
  readonly folders: FolderList["dirs"];
  /** The index of the one that Enter chooses. */
  readonly active: number;
  readonly onChoose: (path: string) => void;
};

export function FolderOptions({ id, parent, folders, active, onChoose }: FolderOptionsProps) {
  return (
    <div class="folder-options">
      {parent !== undefined && (
        <button
          type="button"
          class="quiet folder-up"
          aria-label={`Up to ${parent}`}
          onClick={() => onChoose(parent)}
        >
          <Icon name="arrow-up" /> {parent}
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
            {name}
          </Option>
        ))}
      </div>
      {folders.length === 0 && <p class="muted small">No folder to go into.</p>}
    </div>
  );
}
