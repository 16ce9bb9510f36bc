/** The permission modes of Claude in words. Pure. */
import type { ModeChoice } from "../../src/web-components.ts";
import { entryIn } from "../claude-value.ts";

const MODES: Readonly<Record<string, Omit<ModeChoice, "mode">>> = {
  default: {
    label: "Default",
    description: "asks before it edits files or runs commands that change something",
  },
  manual: {
    label: "Manual",
    description: "asks before it edits files or runs commands that change something",
  },
  acceptEdits: {
    label: "Accept edits",
    description: "edits files of the project without asking",
  },
  plan: { label: "Plan", description: "explores and makes a plan before it changes anything" },
  auto: {
    label: "Auto",
    description: "a model of Claude's decides which calls need your approval",
  },
  dontAsk: {
    label: "Don't ask",
    description: "refuses whatever is not allowed already, without asking",
  },
  bypassPermissions: {
    label: "Bypass permissions",
    description: "runs every tool without asking",
  },
  delegate: { label: "Delegate", description: "leaves the work to other agents" },
};

/** A mode for people; one that is not known is called by its name. */
export function viewMode(mode: string): ModeChoice {
  const { label, description } = entryIn(MODES, mode) ?? { label: mode, description: "" };
  return { mode, label, description };
}

/** Modes for people, the more usual ones first. */
export function viewModes(modes: readonly string[]): ModeChoice[] {
  const known = Object.keys(MODES);
  const rankOf = (mode: string) => (known.includes(mode) ? known.indexOf(mode) : known.length);
  return [...modes].sort((one, other) => rankOf(one) - rankOf(other)).map(viewMode);
}
