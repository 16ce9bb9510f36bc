/** The panel for settings. Pure. */

import { filledText, present, textOf, textsOf } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";
import type { ModelChoice, SettingsPanelData } from "../web-components.ts";
import { usualName, viewModes } from "./permission-modes.ts";

type Capabilities = NonNullable<ReducedSession["capabilities"]>;

/** The choices of each setting, and the chosen one. */
export function viewSettings({
  capabilities,
  metadata,
  model,
  chosenModel,
  permissionMode,
}: Pick<
  ReducedSession,
  "capabilities" | "metadata" | "model" | "chosenModel" | "permissionMode"
>): SettingsPanelData {
  const models = capabilities?.models ?? [];
  const current = model ?? metadata?.model;
  const mode = permissionMode ?? metadata?.permissionMode;
  return {
    model: {
      current,
      // Several choices may stand for the model in use; the first is Claude's default.
      selected: (
        models.find(({ value }) => value === chosenModel) ??
        models.find(({ resolvedModel }) => resolvedModel === current)
      )?.value,
      available: models.map(viewModel),
    },
    permissionMode: {
      current: mode === undefined ? mode : usualName(mode),
      available: viewModes(capabilities?.permission_modes ?? []),
    },
    fastModeState: textOf(metadata?.["fast_mode_state"]),
    outputStyle: textOf(metadata?.["output_style"]) ?? capabilities?.output_style,
    availableOutputStyles: capabilities?.available_output_styles ?? [],
  };
}

type Model = NonNullable<Capabilities["models"]>[number];

function viewModel(model: Model): ModelChoice {
  return {
    value: model.value,
    label: filledText(model["displayName"]) ?? model.value,
    ...present({
      name: modelName(filledText(model["resolvedModel"])),
      alwaysThinks: model["supportsThinkingOff"] === false ? true : undefined,
      description: filledText(model["description"]),
      effortLevels:
        model["supportsEffort"] === true ? textsOf(model["supportedEffortLevels"]) : undefined,
    }),
  };
}

/** `claude-opus-5-5-20251101` as `Opus 5.5`; other ids as they are. */
function modelName(id: string | undefined): string | undefined {
  const [, family = "", version = ""] =
    /^claude-([a-z]+)-(\d+(?:-\d+)?)(?:-\d{8})?$/.exec(id ?? "") ?? [];
  if (family === "") return id;
  return `${family.charAt(0).toUpperCase()}${family.slice(1)} ${version.replace("-", ".")}`;
}
