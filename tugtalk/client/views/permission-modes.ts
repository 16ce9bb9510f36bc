/** The permission modes of Claude in words. Pure. */
import type { PermissionModeMessage } from "../../src/types.ts";
import type { ModeChoice } from "../web-components.ts";

export type PermissionMode = PermissionModeMessage["mode"];

type Row = Omit<ModeChoice, "mode"> & {
  /** Not offered for a session whose Claude has not reported its own modes. */
  readonly isRare?: true;
};

/** The usual ones first. */
const MODES: Readonly<Record<Exclude<PermissionMode, "manual">, Row>> = {
  default: {
    label: "Ask first",
    description: "asks before it edits files or runs commands that change something",
  },
  acceptEdits: {
    label: "Accept edits",
    description: "edits files of the project without asking",
  },
  plan: {
    label: "Plan",
    description: "explores and makes a plan before it changes anything",
  },
  auto: {
    label: "Auto",
    description: "lets a model decide which calls need your approval",
  },
  dontAsk: {
    label: "Don't ask",
    description: "refuses whatever is not allowed already, without asking",
  },
  bypassPermissions: {
    label: "Bypass permissions",
    description: "runs every tool without asking",
  },
  delegate: { label: "Delegate", description: "leaves the work to other agents", isRare: true },
};

export function isPermissionMode(mode: string): mode is PermissionMode {
  return isListed(usualName(mode));
}

/** Newer versions of Claude also take `manual` for `default`, and report `default`. */
export function usualName(mode: string): string {
  return mode === "manual" ? "default" : mode;
}

function isListed(mode: string): mode is keyof typeof MODES {
  return Object.hasOwn(MODES, mode);
}

/** The modes for a session whose Claude has not reported its own. */
export const USUAL_MODES: readonly string[] = Object.entries(MODES).flatMap(([mode, { isRare }]) =>
  isRare === true ? [] : mode,
);

/** A mode for people. An unknown mode has its name as its label. */
export function viewMode(name: string): ModeChoice {
  const mode = usualName(name);
  const { label, description } = isListed(mode) ? MODES[mode] : { label: mode, description: "" };
  return { mode, label, description };
}

/** Modes for people, the more usual ones first, each by one name. */
export function viewModes(modes: readonly string[]): ModeChoice[] {
  const named = new Set(modes.map(usualName));
  const known = Object.keys(MODES).filter((mode) => named.has(mode));
  return [...new Set([...known, ...named])].map(viewMode);
}
