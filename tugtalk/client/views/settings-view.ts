/** The panels for settings and help. Pure. */

import { filledText, objectsOf, present, textOf, textsOf } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";
import type {
  AgentEntry,
  HelpPanelData,
  ModelChoice,
  SettingsPanelData,
} from "../web-components.ts";
import { viewCommands } from "./command-view.ts";
import { viewModes } from "./permission-modes.ts";
import { viewToolName } from "./tool-name.ts";

type Capabilities = NonNullable<ReducedSession["capabilities"]>;

/** What can be set, and what is. */
export function viewSettings({
  capabilities,
  metadata,
  model,
  permissionMode,
}: Pick<
  ReducedSession,
  "capabilities" | "metadata" | "model" | "permissionMode"
>): SettingsPanelData {
  const models = capabilities?.models ?? [];
  const current = model ?? metadata?.model;
  const mode = permissionMode ?? metadata?.permissionMode;
  return {
    model: {
      current,
      selected: selectedModel(models, model === null ? "default" : current),
      available: models.map(viewModel),
    },
    permissionMode: {
      current: mode,
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
      description: filledText(model["description"]),
      effortLevels:
        model["supportsEffort"] === true ? textsOf(model["supportedEffortLevels"]) : undefined,
    }),
  };
}

/** Several choices may stand for one model; the first is Claude's default. */
function selectedModel(models: readonly Model[], current: string | undefined): string | undefined {
  const named = models.find(({ value }) => value === current);
  return (named ?? models.find((model) => model["resolvedModel"] === current))?.value;
}

/** What there is to use. */
export function viewHelp(
  state: Pick<ReducedSession, "capabilities" | "metadata" | "mcpServers">,
): HelpPanelData {
  const { capabilities, metadata, mcpServers } = state;
  return {
    tools: (metadata?.tools ?? []).map((name) => viewToolName(name, mcpServers)),
    slashCommands: viewCommands(state),
    skills: textsOf(metadata?.["skills"]),
    agents: agentsOf(capabilities, textsOf(metadata?.["agents"])),
    plugins: objectsOf(metadata?.["plugins"]).flatMap(({ name }) => textOf(name) ?? []),
    version: metadata?.claude_code_version ?? capabilities?.claude_version,
  };
}

function agentsOf(capabilities: Capabilities | undefined, names: readonly string[]): AgentEntry[] {
  const described = new Map((capabilities?.agents ?? []).map((agent) => [agent.name, agent]));
  return (names.length === 0 ? [...described.keys()] : names).map((name) => ({
    name,
    ...present({
      description: filledText(described.get(name)?.["description"]),
      model: filledText(described.get(name)?.["model"]),
    }),
  }));
}
