/** What a session's permission mode and model are, as menus to change them. */
import { useComputed } from "@preact/signals";
import { viewSettings } from "../../client/views/settings-view.ts";
import type { ModelChoice, SettingsPanelData } from "../../client/web-components.ts";
import type { IconName } from "../../host/page/icons.ts";
import { Icon } from "../elements/icon.tsx";
import { Menu, MenuItem } from "../elements/menu.tsx";
import { useApp } from "../store/app.ts";
import { BYPASS, chooseMode, setModel } from "../store/session-settings.ts";
import type { SessionStore } from "../store/session-store.ts";

type PickerProps = { readonly session: SessionStore };

function useSettings(session: SessionStore): SettingsPanelData {
  return useComputed(() => viewSettings(session.state.value)).value;
}

export function ModePicker({ session }: PickerProps) {
  const app = useApp();
  const { current, available } = useSettings(session).permissionMode;
  return (
    <Picker
      name="Permission mode"
      shortName="Mode"
      icon="shield-check"
      class={current === BYPASS ? "picker-bypass" : ""}
      choices={available.map(({ mode, ...choice }) => ({ ...choice, value: mode }))}
      chosen={current}
      current={current}
      onChoose={(mode) => chooseMode(app, session, mode)}
    />
  );
}

export function ModelPicker({ session }: PickerProps) {
  const app = useApp();
  const { current, selected, available } = useSettings(session).model;
  return (
    <Picker
      name="Model"
      shortName="Model"
      icon="spark"
      choices={available}
      chosen={selected}
      current={current}
      onChoose={(value) => setModel(app, session, value)}
    />
  );
}

type ChoicesProps = {
  readonly name: string;
  /** On the button before the first turn, when Claude has not said what is chosen. */
  readonly shortName: string;
  readonly icon: IconName;
  /** Added to the button. */
  readonly class?: string;
  readonly choices: readonly Omit<ModelChoice, "effortLevels">[];
  readonly chosen: string | undefined;
  /** What is shown where none of the choices is chosen. */
  readonly current: string | undefined;
  readonly onChoose: (value: string) => void;
};

function Picker({ name, shortName, icon, choices, chosen, current, ...rest }: ChoicesProps) {
  const shown = choices.find(({ value }) => value === chosen)?.label ?? current;
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
