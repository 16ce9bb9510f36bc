/** A session's permission mode, its model, and how hard that thinks, as menus to change them. */
import { useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { objectOf, textOf } from "../../client/claude-value.ts";
import { viewSettings } from "../../client/views/settings-view.ts";
import type { ModelChoice, SettingsPanelData } from "../../client/web-components.ts";
import type { IconName } from "../../host/page/icons.ts";
import { Icon } from "../elements/icon.tsx";
import { withCode } from "../elements/lazy.tsx";
import { Menu, MenuItem } from "../elements/menu.tsx";
import { type App, useApp } from "../store/app.ts";
import { BYPASS } from "../store/bypass.ts";
import type { SessionStore } from "../store/session-store.ts";

type PickerProps = { readonly session: SessionStore };

type Settings = typeof import("../store/session-settings.ts");

/** The code that changes settings is loaded when a person changes one. */
function useChange(): (use: (code: Settings, app: App) => void) => void {
  const app = useApp();
  return (use) =>
    withCode(
      app,
      () => import("../store/session-settings.ts"),
      (code) => use(code, app),
    );
}

function useSettings(session: SessionStore): SettingsPanelData {
  return useComputed(() => viewSettings(session.state.value)).value;
}

export function Pickers({ session }: PickerProps) {
  return (
    <div class="pickers line">
      <ModePicker session={session} />
      <ModelPicker session={session} />
      <ThinkingPicker session={session} />
    </div>
  );
}

function ModePicker({ session }: PickerProps) {
  const change = useChange();
  const { current, available } = useSettings(session).permissionMode;
  return (
    <Picker
      name="Permission mode"
      shortName="Mode"
      icon="shield-check"
      class={current === BYPASS ? "picker-bypass" : ""}
      choices={available.map(({ mode, ...choice }) => ({ ...choice, value: mode }))}
      chosen={current}
      onChoose={(mode) => change((code, app) => code.chooseMode(app, session, mode))}
    />
  );
}

function ModelPicker({ session }: PickerProps) {
  const change = useChange();
  const { current, selected, available } = useSettings(session).model;
  return (
    <Picker
      name="Model"
      icon="spark"
      class="picker-model"
      choices={available}
      chosen={selected}
      current={current}
      onChoose={(value) => change((code, app) => code.setModel(app, session, value))}
    />
  );
}

const OFF = "off";

/** Draws nothing for a model that always thinks in the same way. */
function ThinkingPicker({ session }: PickerProps) {
  const change = useChange();
  const { selected, available } = useSettings(session).model;
  const model = available.find(({ value }) => value === selected) ?? available[0];
  const isOff = useSignal(false);
  const effort = useComputed(() => {
    const { applied } = session.state.value.controlResponses["get_settings"] ?? {};
    return textOf(objectOf(applied)?.["effort"]);
  });
  const levels = model?.effortLevels ?? ["on"];
  const choices = model?.alwaysThinks === true ? levels : [...levels, OFF];
  if (model === undefined || choices.length < 2) return null;
  const chosen = isOff.value ? OFF : effort.value;
  const choose = (value: string) => {
    const wasOff = isOff.value;
    isOff.value = value === OFF;
    change((code, app) => code.chooseThinking(app, session, value, { wasOff, levels }));
  };
  return (
    <Picker
      name="Thinking effort"
      shortName="Effort"
      icon="gauge"
      choices={choices.map((value) => ({ value, label: value }))}
      chosen={chosen}
      onChoose={choose}
    >
      <OnOpen run={() => change((code) => code.askSettings(session))} />
    </Picker>
  );
}

/** Its menu draws it when that opens. */
function OnOpen({ run }: { readonly run: () => void }) {
  useEffect(run, []);
  return null;
}

type ChoicesProps = {
  readonly name: string;
  /** On the button before the first turn, when Claude has not reported the chosen value. */
  readonly shortName?: string;
  readonly icon: IconName;
  /** Added to the button. */
  readonly class?: string;
  readonly choices: readonly Omit<ModelChoice, "effortLevels">[];
  readonly chosen: string | undefined;
  /** The text where none of the choices is chosen. */
  readonly current?: string | undefined;
  readonly onChoose: (value: string) => void;
  /** Drawn while the menu is open. */
  readonly children?: ComponentChildren;
};

function Picker({
  name,
  shortName = name,
  icon,
  choices,
  chosen,
  current = chosen,
  ...rest
}: ChoicesProps) {
  const found = choices.find(({ value }) => value === chosen);
  const shown = found?.name ?? found?.label ?? current;
  return (
    <Menu
      label={shown === undefined ? name : `${name}: ${shown}`}
      class={`quiet small picker ${rest.class ?? ""}`}
      face={
        <>
          <Icon name={icon} />
          <span class="truncate">{shown ?? shortName}</span>
          <Icon name="chevron-down" />
        </>
      }
    >
      {rest.children}
      {choices.map(({ value, label, description = "" }) => (
        <MenuItem key={value} isChecked={value === chosen} onSelect={() => rest.onChoose(value)}>
          <span class="picker-choice">
            {label}
            {description !== "" && <small class="muted">{description}</small>}
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}
