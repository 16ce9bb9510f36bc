/** The icon of a tool, by kind. */
import type { ToolName } from "../../src/messages/prompt-models.ts";
import { Icon, type IconName } from "../elements/icon.tsx";

const ICONS: ReadonlyMap<string, IconName> = new Map([
  ["Bash", "terminal"],
  ["PowerShell", "terminal"],
  ["BashOutput", "terminal"],
  ["KillShell", "stop"],
  ["Edit", "edit"],
  ["MultiEdit", "edit"],
  ["NotebookEdit", "edit"],
  ["Write", "file"],
  ["Read", "file"],
  ["Glob", "search"],
  ["Grep", "search"],
  ["WebFetch", "globe"],
  ["WebSearch", "globe"],
  ["Task", "fork"],
  ["Agent", "fork"],
  ["TodoWrite", "tasks"],
  ["TaskCreate", "tasks"],
  ["TaskUpdate", "tasks"],
  ["TaskList", "tasks"],
  ["TaskGet", "tasks"],
  ["AskUserQuestion", "question"],
  ["ExitPlanMode", "list"],
  ["Skill", "spark"],
]);

export function ToolIcon({ tool }: { readonly tool: ToolName | undefined }) {
  const isMcp = tool?.server !== undefined;
  return <Icon name={isMcp ? "plug" : (ICONS.get(tool?.name ?? "") ?? "wrench")} />;
}
