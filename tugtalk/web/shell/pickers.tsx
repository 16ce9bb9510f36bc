/** What a session's permission mode and model are, as menus to change them. */
import { useComputed } from "@preact/signals";
import { viewSettings } from "../../client/views/settings-view.ts";
import type { SettingsPanelData } from "../../src/web-components.ts";
import { Icon, type IconName } from "../elements/icon.tsx";
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
  const shown = available.find(({ mode }) => mode === current)?.label ?? current;
  return (
    <Menu
      label={labelOf("Permission mode", shown)}
      class={`quiet small picker ${current === BYPASS ? "picker-bypass" : ""}`}
      face={<Face icon="shield-check" text={shown ?? "Mode"} />}
    >
      {available.map(({ mode, label, description }) => (
        <MenuItem
          key={mode}
          isChecked={mode === current}
          onSelect={() => chooseMode(app, session, mode)}
        >
          <Choice label={label} description={description} />
        </MenuItem>
      ))}
    </Menu>
  );
}

export function ModelPicker({ session }: PickerProps) {
  const app = useApp();
  const { current, selected, available } = useSettings(session).model;
  const shown = available.find(({ value }) => value === selected)?.label ?? current;
  return (
    <Menu
      label={labelOf("Model", shown)}
      class="quiet small picker"
      face={<Face icon="spark" text={shown ?? "Model"} />}
    >
      {available.map(({ value, label, description = "" }) => (
        <MenuItem
          key={value}
          isChecked={value === selected}
          onSelect={() => void setModel(app, session, value === "default" ? null : value)}
        >
          <Choice label={label} description={description} />
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Before the first turn Claude has not said what is chosen. */
function labelOf(name: string, shown: string | undefined): string {
  return shown === undefined ? name : `${name}: ${shown}`;
}

function Face({ icon, text }: { readonly icon: IconName; readonly text: string }) {
  return (
    <>
      <Icon name={icon} />
      <span class="truncate">{text}</span>
      <Icon name="chevron-down" />
    </>
  );
}

function Choice({ label, description }: { readonly label: string; readonly description: string }) {
  return (
    <span class="picker-choice">
      {label}
      {description !== "" && <small class="muted">{description}</small>}
    </span>
  );
}
