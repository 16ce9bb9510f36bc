/** The panel for help. Pure. */

import { filledText, objectsOf, present, textOf, textsOf } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";
import type { AgentEntry, HelpPanelData } from "../web-components.ts";
import { viewCommands } from "./command-view.ts";
import { viewToolName } from "./tool-name.ts";

type Capabilities = NonNullable<ReducedSession["capabilities"]>;

/** The tools, commands, skills, agents and plugins of a session. */
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
