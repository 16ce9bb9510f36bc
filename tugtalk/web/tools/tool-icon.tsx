/** The icon of a tool. */
import { toolRow } from "../../client/views/tools.ts";
import type { ToolName } from "../../src/messages/prompt-models.ts";
import { Icon } from "../elements/icon.tsx";

export function ToolIcon({ tool }: { readonly tool: ToolName | undefined }) {
  const isMcp = tool?.server !== undefined;
  return <Icon name={isMcp ? "plug" : (toolRow(tool?.name)?.icon ?? "wrench")} />;
}
