/** The settings of a session, as the modes and the options of ACP. Pure. */
import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import {
  isPermissionMode,
  USUAL_MODES,
  usualName,
  viewModes,
} from "../client/views/permission-modes.ts";
import { type Fields, stringsIn } from "../src/base/json.ts";
import type { InboundMessage, OutboundDraft } from "../src/types.ts";
import { AcpError } from "./json-rpc.ts";

type Capabilities = Extract<OutboundDraft, { type: "session_capabilities" }>;

type Model = Fields & { readonly value: string };

export type Settings = {
  readonly models: readonly Model[];
  readonly modes: readonly string[];
  /** By the value of a model; the first is Claude's default. */
  readonly model: string;
  readonly mode: string;
  /** Undefined where Claude's own choice applies. */
  readonly effort?: string | undefined;
  readonly isFast: boolean;
  readonly isUltracode: boolean;
  /** The client shows options that are on or off; to others they are a choice of two. */
  readonly hasSwitches: boolean;
};

export const FIRST_SETTINGS: Settings = {
  models: [],
  modes: USUAL_MODES,
  model: "default",
  mode: "default",
  isFast: false,
  isUltracode: false,
  hasSwitches: false,
};

export function withCapabilities(
  settings: Settings,
  { models = [], permission_modes: modes }: Pick<Capabilities, "models" | "permission_modes">,
): Settings {
  return { ...settings, models, modes: modes?.filter(canBeChosen) ?? settings.modes };
}

/** Claude refuses the others unless it was started in them. */
function canBeChosen(mode: string): boolean {
  return mode !== "bypassPermissions";
}

/**
 * The model by its value, or by the full id that it stands for. If several have that id, the present model.
 */
export function withModel(settings: Settings, model: string | null): Settings {
  if (model === null) return { ...settings, model: "default" };
  const { models } = settings;
  const present = presentModel(settings);
  const named =
    models.find(({ value }) => value === model) ??
    [present, ...models].find((each) => each?.["resolvedModel"] === model);
  return { ...settings, model: named?.value ?? model };
}

export function modeState({ modes, mode }: Settings): SessionModeState {
  const offered = modes.includes(mode) ? modes : [...modes, mode];
  return {
    currentModeId: usualName(mode),
    availableModes: viewModes(offered).map(({ mode: id, label, description }) => ({
      id,
      name: label,
      ...(description !== "" && { description: `Claude ${description}` }),
    })),
  };
}

/** The options that the present model has. */
export function configOptions(settings: Settings): SessionConfigOption[] {
  const { currentModeId, availableModes } = modeState(settings);
  const mode: SessionConfigOption = {
    id: "mode",
    type: "select",
    name: "Permission mode",
    category: "mode",
    currentValue: currentModeId,
    options: availableModes.map(({ id, ...shown }) => ({ value: id, ...shown })),
  };
  return [mode, ...modelOption(settings), ...effortOption(settings), ...switches(settings)];
}

function switches(settings: Settings): SessionConfigOption[] {
  const model = presentModel(settings);
  const { isFast, isUltracode, hasSwitches } = settings;
  const fast = switchOption({ id: "fast", name: "Fast mode" }, isFast, hasSwitches);
  const ultracode = switchOption({ id: "ultracode", name: "Ultracode" }, isUltracode, hasSwitches);
  return [
    ...(model?.["supportsFastMode"] === true ? [fast] : []),
    // It is the work of several agents at an effort that not every model has.
    ...(effortLevels(model).includes("xhigh") ? [ultracode] : []),
  ];
}

const [ON, OFF] = ["on", "off"];

function switchOption(
  named: { readonly id: string; readonly name: string },
  isOn: boolean,
  hasSwitches: boolean,
): SessionConfigOption {
  const option = { ...named, category: "model_config" };
  if (hasSwitches) return { ...option, type: "boolean", currentValue: isOn };
  const options = [ON, OFF].map((value) => ({ value, name: value === ON ? "On" : "Off" }));
  return { ...option, type: "select", currentValue: isOn ? ON : OFF, options };
}

function presentModel({ models, model }: Settings): Model | undefined {
  return models.find(({ value }) => value === model);
}

function modelOption({ models, model }: Settings): SessionConfigOption[] {
  if (models.length === 0) return [];
  const options = models.map(({ value, displayName, description }) => ({
    value,
    name: typeof displayName === "string" && displayName !== "" ? displayName : value,
    ...(typeof description === "string" && description !== "" && { description }),
  }));
  const isListed = models.some(({ value }) => value === model);
  return [
    {
      id: "model",
      type: "select",
      name: "Model",
      category: "model",
      currentValue: model,
      options: isListed ? options : [...options, { value: model, name: model }],
    },
  ];
}

/** The name of the effort where none was chosen. */
const OWN_EFFORT = "default";

function effortOption(settings: Settings): SessionConfigOption[] {
  const { effort } = settings;
  const levels = effortLevels(presentModel(settings));
  if (levels.length === 0) return [];
  const values = effort === undefined ? [OWN_EFFORT, ...levels] : levels;
  return [
    {
      id: "effort",
      type: "select",
      name: "Effort",
      category: "thought_level",
      currentValue: effort ?? OWN_EFFORT,
      options: values.map((value) => ({ value, name: value })),
    },
  ];
}

function effortLevels(model: Model | undefined): string[] {
  return model?.["supportsEffort"] === true ? stringsIn(model["supportedEffortLevels"]) : [];
}

/** A change of an option: its message to the bridge, and the changed settings that no message will report. */
type Change = { readonly message: InboundMessage; readonly changed: Partial<Settings> };

/** The change of an option to one of the values on offer. Throws -32602 for any other value. */
export function changeOf(settings: Settings, id: string, value: string | boolean): Change {
  const option = configOptions(settings).find((each) => each.id === id);
  if (option === undefined) throw new AcpError("invalidParams", `unknown option: ${id}`);
  if (!isOffered(option, value))
    throw new AcpError("invalidParams", `${id}: unknown value: ${value}`);
  const isOn = value === true || value === ON;
  if (id === "fast") return flagChange({ isFast: isOn }, { fastMode: isOn });
  if (id === "ultracode") return flagChange({ isUltracode: isOn }, { ultracode: isOn });
  const text = String(value);
  if (isPermissionMode(text) && id === "mode")
    return { changed: {}, message: { type: "permission_mode", mode: text } };
  if (id === "model") {
    const model = text === "default" ? null : text;
    return { changed: {}, message: { type: "model_change", model } };
  }
  const effort = text === OWN_EFFORT ? undefined : text;
  return flagChange({ effort }, { effortLevel: effort ?? null });
}

function flagChange(changed: Partial<Settings>, flags: Fields): Change {
  const message = { type: "control", subtype: "apply_flag_settings", settings: flags } as const;
  return { changed, message };
}

function isOffered(option: SessionConfigOption, value: string | boolean): boolean {
  if (option.type === "boolean") return typeof value === "boolean";
  return option.options.some((each) => "value" in each && each.value === value);
}
