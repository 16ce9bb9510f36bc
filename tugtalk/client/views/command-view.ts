/** The slash commands that a person can type. Pure. */

import { filledText, textsOf } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";
import type { SlashCommandEntry } from "../web-components.ts";

type Command = NonNullable<NonNullable<ReducedSession["capabilities"]>["commands"]>[number];

/**
 * The commands that work over the bridge, sorted by name. Internal commands, and commands that need Claude's
 * own terminal, are left out.
 */
export function viewCommands({
  capabilities,
  metadata,
}: Pick<ReducedSession, "capabilities" | "metadata">): SlashCommandEntry[] {
  const described = new Map(
    (capabilities?.commands ?? []).map((command) => [command.name, command]),
  );
  const names = metadata?.slash_commands ?? [...described.keys()];
  const hidden = new Set(textsOf(metadata?.["terminal_slash_commands"]));
  const skills = new Set(textsOf(metadata?.["skills"]));
  return names
    .filter((name) => !name.startsWith("__") && !hidden.has(name))
    .sort()
    .map((name) => viewCommand(name, described.get(name), skills.has(name)));
}

function viewCommand(
  name: string,
  command: Command | undefined,
  isSkill: boolean,
): SlashCommandEntry {
  return {
    name,
    category: command?.category ?? (isSkill ? "skill" : undefined),
    description: filledText(command?.description),
    argumentHint: filledText(command?.argumentHint),
    aliases: textsOf(command?.["aliases"]),
  };
}
