/** The settings of the session, and their choices. */
import { useComputed } from "@preact/signals";
import { objectOf, textOf } from "../../client/claude-value.ts";
import { viewSettings } from "../../client/views/settings-view.ts";
import type { SettingsPanelData } from "../../client/web-components.ts";
import { useApp } from "../store/app.ts";
import { useSessionInfo } from "../store/session-info.ts";
import { chooseMode, setModel } from "../store/session-settings.ts";
import { setEffort } from "../store/set-effort.ts";
import { Choices } from "./choices.tsx";
import { useControlRequest } from "./control-request.tsx";
import { Fact, Panel, type SessionPanelProps } from "./panel.tsx";

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
        choices={model.available}
        onChoose={(value) => setModel(app, session, value)}
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
      <AfterLimit session={session} />
      <dl class="facts">
        <Fact name="Fast mode" value={settings.fastModeState} />
        <Fact name="Output style" value={settings.outputStyle} />
      </dl>
    </Panel>
  );
}

/** Shown only if Claude reports a usage limit of the account. */
function AfterLimit({ session }: SessionPanelProps) {
  const { toasts } = useApp();
  const isOn = useSessionInfo(session).value?.goes_on === true;
  if (!isOn && session.state.value.rateLimit === undefined) return null;
  const set = (goes_on: boolean) => void toasts.attempt(session.command("update", { goes_on }));
  return (
    <div class="field">
      <span>After the usage limit</span>
      <label class="choice">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => set(event.currentTarget.checked)}
        />
        <span>Go on by itself once it is reset</span>
      </label>
    </div>
  );
}

type EffortProps = SessionPanelProps & { readonly settings: SettingsPanelData };

/** Only for models that have levels of effort. */
function Effort({ session, settings: { model } }: EffortProps) {
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
      onChoose={(level) => setEffort(app, session, level)}
    />
  );
}
