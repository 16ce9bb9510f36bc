/** The fields for the model and the permission mode of a new session. */
import { type Signal, useComputed } from "@preact/signals";
import { USUAL_MODES, viewMode, viewModes } from "../../client/views/permission-modes.ts";
import { bound } from "../elements/bound.ts";
import { TextField } from "../elements/text-field.tsx";
import { useApp } from "../store/app.ts";

/** Names that Claude itself knows. */
const MODELS = ["opus", "sonnet", "haiku"];

export function ModelField({ text }: { readonly text: Signal<string> }) {
  const { host } = useApp();
  const used = useComputed(() => host.board.value.sessions.flatMap(({ model }) => model ?? []));
  return (
    <TextField
      label="Model"
      text={text}
      suggestions={[...MODELS, ...used.value]}
      placeholder="Claude's default"
    />
  );
}

const MODES = viewModes(USUAL_MODES);

export function ModeField({ mode }: { readonly mode: Signal<string> }) {
  return (
    <label class="field">
      <span>Permission mode</span>
      <select {...bound(mode)}>
        <option value="">As Claude's settings say</option>
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
