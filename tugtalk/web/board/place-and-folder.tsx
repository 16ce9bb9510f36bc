/** Where a Claude is to work: a place of the host, and a folder there. */
import { type Signal, useComputed } from "@preact/signals";
import { TextField } from "../elements/text-field.tsx";
import { useApp } from "../store/app.ts";
import { FolderField } from "./folder-field.tsx";

type Where = {
  /** Empty until the host has sent its places. */
  readonly place: Signal<string>;
  readonly dir: Signal<string>;
};

/** The folders of another machine cannot be listed. */
export function PlaceFolder({ place, dir }: Where) {
  if (isHere(place.value) || place.value === "") return <FolderField path={dir} />;
  return <RemoteFolder place={place.value} dir={dir} />;
}

function RemoteFolder({ place, dir }: { readonly place: string; readonly dir: Signal<string> }) {
  const { host } = useApp();
  const used = useComputed(() =>
    host.board.value.sessions.flatMap((session) => (session.place === place ? session.dir : [])),
  );
  return <TextField label={`Folder on ${place}`} text={dir} required suggestions={used.value} />;
}

export const SIMULATOR = "simulator";

const PLACE_WORDS: Readonly<Record<string, string>> = {
  local: "This machine",
  [SIMULATOR]: "Simulator (a demonstration)",
};

/** Whether it is on the machine of the host. */
export function isHere(place: string): boolean {
  return place in PLACE_WORDS;
}

type PlaceProps = Where & { readonly places: readonly string[] };

export function PlaceField({ place, dir, places }: PlaceProps) {
  return (
    <label class="field">
      <span>Place</span>
      <select
        value={place.value}
        onChange={(event) => {
          place.value = event.currentTarget.value;
          // A folder of this machine is none there.
          if (!isHere(place.value)) dir.value = "";
        }}
      >
        {places.map((name) => (
          <option key={name} value={name}>
            {PLACE_WORDS[name] ?? name}
          </option>
        ))}
      </select>
    </label>
  );
}
