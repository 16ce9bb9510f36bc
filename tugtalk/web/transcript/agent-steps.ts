/** The conversation of an agent as its card shows it, without the texts of the call itself. Pure. */
import type { AgentItems } from "../../client/agent-items.ts";
import { textOf } from "../../client/claude-value.ts";
import type { ToolItem, TranscriptItem } from "../../client/transcript-models.ts";
import { agentReport } from "../../client/views/tool-outputs.ts";

/** The prompt is in the input of the call, and the last words are its result. */
export function ownSteps({ input, result, structured }: ToolItem, agent: AgentItems): AgentItems {
  const prompt = textOf(input?.["prompt"])?.trim();
  const report = result && agentReport(result.output, structured).trim();
  const isSaid = (item: TranscriptItem, index: number) =>
    (item.kind === "user" && item.source === "subagent_prompt" && item.text.trim() === prompt) ||
    (item.kind === "text" && index === agent.items.length - 1 && item.text.trim() === report);
  return agent.items.some(isSaid)
    ? { ...agent, items: agent.items.filter((item, index) => !isSaid(item, index)) }
    : agent;
}
