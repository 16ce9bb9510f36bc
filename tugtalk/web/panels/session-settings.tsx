/** What the session is set to, and can be. */
import { useComputed } from "@preact/signals";
import { objectOf, textOf } from "../../client/claude-value.ts";
import { viewSettings } from "../../client/views/settings-view.ts";
import type { SettingsPanelData } from "../../src/web-components.ts";
import { useApp } from "../store/app.ts";
import { chooseMode, setEffort, setModel } from "../store/session-settings.ts";
import { Choices } from "./choices.tsx";
import { useControlRequest } from "./control-request.tsx";
import { Panel, type SessionPanelProps } from "./panel.tsx";

export function SessionSettings({ session }: SessionPanelProps) {
  const app = useApp();
  const settings = useComputed(() => viewSettings(session.state.value)).value;
  const { model, permissionMode } = settings;
  useControlRequest(session, "get_settings");
  return (
    <Panel title="Model and mode">
      <Choices
        title="Model"
        chosen={model.selected ?? model.current}
        choices={model.available.map((choice) => ({ ...choice, description: choice.description }))}
        onChoose={(value) => void setModel(app, session, value === "default" ? null : value)}
      />
      <Effort session={session} settings={settings} />
      <Choices
        title="Permission mode"
        chosen={permissionMode.current}
        choices={permissionMode.available.map(({ mode, ...choice }) => ({
          ...choice,
          value: mode,
        }))}
        onChoose={(mode) => chooseMode(app, session, mode)}
      />
      <Others settings={settings} />
    </Panel>
  );
}

type SettingsProps = { readonly settings: SettingsPanelData };

/** Only for models that have levels of effort. */
function Effort({ session, settings: { model } }: SessionPanelProps & SettingsProps) {
  const app = useApp();
  const levels = model.available.find(({ value }) => value === model.selected)?.effortLevels ?? [];
  const applied = objectOf(session.state.value.controlResponses["get_settings"]?.["applied"]);
  if (levels.length === 0) return null;
  return (
    <Choices
      title="Effort"
      isCompact
      chosen={textOf(applied?.["effort"])}
      choices={levels.map((level) => ({ value: level, label: level }))}
      onChoose={(level) => void setEffort(app, session, level)}
    />
  );
}

function Others({ settings }: SettingsProps) {
  const { fastModeState, outputStyle } = settings;
  return (
    <dl class="facts">
      {fastModeState !== undefined && (
        <>
          <dt>Fast mode</dt>
          <dd>{fastModeState}</dd>
        </>
      )}
      {outputStyle !== undefined && (
        <>
          <dt>Output style</dt>
          <dd>{outputStyle}</dd>
        </>
      )}
    </dl>
  );
}
