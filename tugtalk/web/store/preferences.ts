/** What a person has chosen for this browser. */
import { effect, type Signal } from "@preact/signals";
import { storedSignal } from "./stored-signal.ts";

export type Preferences = {
  readonly theme: "system" | "light" | "dark";
  /** A desktop notification when a prompt waits and the tab is hidden. */
  readonly hasNotifications: boolean;
};

const DEFAULTS: Preferences = { theme: "system", hasNotifications: false };

/** The theme is in effect before anything is drawn. */
export function openPreferences(): Signal<Preferences> {
  const preferences = storedSignal("tugtalk.preferences", readPreferences);
  effect(() => {
    document.documentElement.dataset["theme"] = preferences.value.theme;
  });
  return preferences;
}

export function readPreferences(stored: unknown): Preferences {
  if (typeof stored !== "object" || stored === null) return DEFAULTS;
  const { theme, hasNotifications } = { ...DEFAULTS, ...stored };
  return {
    theme: theme === "light" || theme === "dark" ? theme : "system",
    hasNotifications: hasNotifications === true,
  };
}
