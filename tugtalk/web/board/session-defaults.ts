/** The first values of the form of a new session, as a person has chosen them for this browser. */
import type { Signal } from "@preact/signals";
import { textOf } from "../../client/claude-value.ts";
import { storedSignal } from "../store/preferences.ts";

/** Empty: Claude's own choice. */
export type SessionDefaults = { readonly model: string; readonly permissionMode: string };

let known: Signal<SessionDefaults> | undefined;

export function sessionDefaults(): Signal<SessionDefaults> {
  known ??= storedSignal("tugtalk.new-session", readDefaults);
  return known;
}

export function readDefaults(stored: unknown): SessionDefaults {
  const { model, permissionMode } = Object(stored);
  return { model: textOf(model) ?? "", permissionMode: textOf(permissionMode) ?? "" };
}
