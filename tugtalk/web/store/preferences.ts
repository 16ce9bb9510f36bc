/** The choices of a person for this browser. */
import { effect, type Signal, signal } from "@preact/signals";
import { parseJson } from "../../client/claude-value.ts";

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

/**
 * A signal that outlives the page in the browser's local storage. `read` gives the value for a stored one,
 * and the initial value if that is absent or has another shape.
 */
export function storedSignal<Value>(key: string, read: (stored: unknown) => Value): Signal<Value> {
  const stored = signal(read(parseJson(localStorage.getItem(key))));
  effect(() => {
    try {
      localStorage.setItem(key, JSON.stringify(stored.value));
    } catch {
      // The storage is full or forbidden: the value lives as long as the page.
    }
  });
  return stored;
}
