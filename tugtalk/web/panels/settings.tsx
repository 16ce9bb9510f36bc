/** The choices of a person for this browser. */
import { effect, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { ModeField, ModelField } from "../board/model-and-mode.tsx";
import { sessionDefaults } from "../board/session-defaults.ts";
import { useApp } from "../store/app.ts";
import type { Preferences } from "../store/preferences.ts";
import { Choices } from "./choices.tsx";
import { Panel, Section } from "./panel.tsx";

const THEMES: readonly { readonly value: Preferences["theme"]; readonly label: string }[] = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

export function Settings() {
  const { preferences } = useApp();
  const change = (changed: Partial<Preferences>) => {
    preferences.value = { ...preferences.value, ...changed };
  };
  return (
    <Panel title="Settings" class="narrow">
      <Choices
        title="Theme"
        isCompact
        chosen={preferences.value.theme}
        choices={THEMES}
        onChoose={(chosen) => {
          const theme = THEMES.find(({ value }) => value === chosen)?.value;
          if (theme !== undefined) change({ theme });
        }}
      />
      <Notifications
        isOn={preferences.value.hasNotifications}
        onChange={(hasNotifications) => change({ hasNotifications })}
      />
      <NewSessions />
      <Version />
    </Panel>
  );
}

/** The first values of new sessions. */
function NewSessions() {
  const model = useSignal(sessionDefaults().peek().model);
  const mode = useSignal(sessionDefaults().peek().permissionMode);
  // Other effects would wait for the next frame: a page that is left before it would lose a choice.
  useLayoutEffect(
    () =>
      effect(() => {
        sessionDefaults().value = { model: model.value.trim(), permissionMode: mode.value };
      }),
    [],
  );
  return (
    <Section title="New sessions">
      <ModelField text={model} />
      <ModeField mode={mode} />
      <p class="hint">The form of a new session begins with these, in this browser.</p>
    </Section>
  );
}

type NotificationsProps = {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
};

/** The browser is asked only when a person turns them on. */
function Notifications({ isOn, onChange }: NotificationsProps) {
  const isRefused = useSignal(isOn && permission() === "denied");
  const turn = async (isWanted: boolean) => {
    const answer = isWanted ? await ask() : "granted";
    isRefused.value = answer !== "granted";
    onChange(isWanted && answer === "granted");
  };
  return (
    <div class="field">
      <span>Notifications</span>
      <label class="choice">
        <input
          type="checkbox"
          checked={isOn && !isRefused.value}
          disabled={permission() === undefined}
          onChange={(event) => void turn(event.currentTarget.checked)}
        />
        <span>When Claude asks and this tab is hidden</span>
      </label>
      {isRefused.value && (
        <p class="problem" role="alert">
          The browser does not allow it. Its settings for this site can change that.
        </p>
      )}
    </div>
  );
}

/** Undefined where the browser has no notifications. */
function permission(): NotificationPermission | undefined {
  return typeof Notification === "undefined" ? undefined : Notification.permission;
}

async function ask(): Promise<NotificationPermission> {
  return permission() === "default"
    ? await Notification.requestPermission()
    : Notification.permission;
}

function Version() {
  const { host } = useApp();
  const version = useSignal<string | undefined>(undefined);
  useEffect(() => {
    host.transport.command("health").then(
      (health) => {
        version.value = health.version;
      },
      // Without the host there is no version to show.
      () => undefined,
    );
  }, []);
  return <p class="hint">tugtalk {version.value}</p>;
}
