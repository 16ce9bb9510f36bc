/** The folders that a person can go into, and the one above them. */
import type { FolderList } from "../../client/host-api.ts";
import { Icon } from "../elements/icon.tsx";

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
          // The field above has the focus, and its keys choose.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          <div
            key={path}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            class="folder-option"
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: "nearest" });
            }}
            onClick={() => onChoose(path)}
          >
            {name}
          </div>
        ))}
      </div>
      {folders.length === 0 && <p class="muted small">No folder to go into.</p>}
    </div>
  );
}
