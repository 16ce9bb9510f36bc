/** The fields of a new session. */
import { type Signal, useComputed } from "@preact/signals";
import { USUAL_MODES, viewMode, viewModes } from "../../client/views/permission-modes.ts";
import { bound } from "../elements/bound.ts";
import { TextField } from "../elements/text-field.tsx";
import { useApp } from "../store/app.ts";
import { FolderField } from "./folder-field.tsx";
import type { NewSessionForm } from "./new-session-fields.ts";
import { PastConversationField } from "./past-conversations.tsx";
import type { Places } from "./places.ts";
import { typedLimit } from "./session-text.ts";

type FieldProps = { readonly form: NewSessionForm };

type PlaceProps = FieldProps & { readonly places: Places | undefined };

/** Undefined before the host has told the places. */
export function NewSessionFieldset({ form, places }: PlaceProps) {
  return (
    <>
      <Kind isPast={form.isPast} />
      <Folder form={form} />
      {form.isPast.value ? <PastConversationField form={form} /> : <MessageField form={form} />}
      <div class="field-row">
        <ModelField form={form} />
        <ModeField form={form} />
      </div>
      <details>
        <summary>More</summary>
        <div class="field-row">
          <TextField
            label="Title"
            text={form.title}
            maxLength={500}
            placeholder="Your first message"
          />
          <PlaceField form={form} places={places} />
          <LimitField form={form} />
        </div>
      </details>
    </>
  );
}

function Kind({ isPast }: Pick<NewSessionForm, "isPast">) {
  return (
    <fieldset class="segments" aria-label="Conversation">
      {[false, true].map((isOld) => (
        <label key={String(isOld)}>
          <input
            type="radio"
            name="kind"
            checked={isPast.value === isOld}
            onChange={() => {
              isPast.value = isOld;
            }}
          />
          <span>{isOld ? "Past conversation" : "New conversation"}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The folders of another machine cannot be listed. */
function Folder({ form: { place, dir } }: FieldProps) {
  if (place.value in PLACE_WORDS || place.value === "") return <FolderField path={dir} />;
  return <RemoteFolder place={place.value} dir={dir} />;
}

function RemoteFolder({ place, dir }: { readonly place: string; readonly dir: Signal<string> }) {
  const { host } = useApp();
  const used = useComputed(() =>
    host.board.value.sessions.flatMap((session) => (session.place === place ? session.dir : [])),
  );
  return <TextField label={`Folder on ${place}`} text={dir} required suggestions={used.value} />;
}

function MessageField({ form: { message } }: FieldProps) {
  return (
    <label class="field">
      <span>What should Claude do?</span>
      <textarea rows={3} placeholder="You can also say it later." {...bound(message)} />
    </label>
  );
}

/** Names that Claude itself knows. */
const MODELS = ["opus", "sonnet", "haiku"];

function ModelField({ form }: FieldProps) {
  const { host } = useApp();
  const used = useComputed(() => host.board.value.sessions.flatMap(({ model }) => model ?? []));
  return (
    <TextField
      label="Model"
      text={form.model}
      suggestions={[...MODELS, ...used.value]}
      placeholder="Claude's default"
    />
  );
}

const MODES = viewModes(USUAL_MODES);

function ModeField({ form: { permission_mode: mode } }: FieldProps) {
  return (
    <label class="field">
      <span>Permission mode</span>
      <select {...bound(mode)}>
        <option value="">As your settings say</option>
        {MODES.map((choice) => (
          <option key={choice.mode} value={choice.mode}>
            {choice.label}
          </option>
        ))}
      </select>
      {mode.value !== "" && <small>Claude {viewMode(mode.value).description}.</small>}
    </label>
  );
}

function LimitField({ form: { limit } }: FieldProps) {
  const isWrong = typedLimit(limit.value) === undefined;
  return (
    <div>
      <TextField
        label="Limit in US dollars"
        text={limit}
        inputMode="decimal"
        placeholder="No limit"
      />
      {isWrong && <p class="problem">Enter an amount above 0, such as 2.50.</p>}
    </div>
  );
}

const PLACE_WORDS: Readonly<Record<string, string>> = {
  local: "This machine",
  simulator: "Simulator (a demonstration)",
};

function PlaceField({ form: { place, dir }, places }: PlaceProps) {
  return (
    <label class="field">
      <span>Place</span>
      <select
        value={place.value}
        onChange={(event) => {
          place.value = event.currentTarget.value;
          // A folder of this machine is none there.
          if (!(place.value in PLACE_WORDS)) dir.value = "";
        }}
      >
        {places?.places.map((name) => (
          <option key={name} value={name}>
            {PLACE_WORDS[name] ?? name}
          </option>
        ))}
      </select>
    </label>
  );
}
