/** The output to Claude for the answers of all hooks of one event. Pure. Protocol reference §22. */
import type { Fields } from "../base/json.ts";
import { isAtLeast } from "../base/versions.ts";
import { definedFields } from "../messages/envelope.ts";
import { GOING_ON, GUARDED, type HookEvent, TAKEN } from "../messages/hook-events.ts";
import type { HookAnswer } from "../messages/hook-messages.ts";

/** The answer of a hook to an event. */
export type HookVerdict = Omit<HookAnswer, "type" | "id" | "channel" | "request_id">;

/** The event, with the fields that decide how it can be answered. */
export type HookMoment = {
  readonly event: HookEvent;
  readonly toolName: string | undefined;
  readonly claudeVersion: string | undefined;
};

/** Why a hook cannot say this. Claude would take it for "go on". */
export function verdictFault(moment: HookMoment, verdict: HookVerdict): string | undefined {
  const { event, claudeVersion } = moment;
  const { decision, reason, ...fields } = verdict;
  if (decision === undefined && reason !== undefined) return "reason: it belongs to a decision";
  const said = [...(decision === undefined ? [] : [decision]), ...Object.keys(fields)];
  const wrong = said.find((name) => !TAKEN[event].some((taken) => taken === name));
  if (wrong !== undefined) return `${wrong}: ${event} does not take it`;
  if (decision === "deny" && goesOnBy(event) && !reason)
    return `reason: ${event} needs one to go on`;
  const newer = newerFault(moment, verdict);
  // An unknown version is taken for the newest one.
  const isOld = () => claudeVersion !== undefined && !isAtLeast(claudeVersion, "2.1.197");
  return newer !== undefined && isOld() ? newer : undefined;
}

/** Why an older Claude does not take this. */
function newerFault(moment: HookMoment, verdict: HookVerdict): string | undefined {
  if ("updatedOutput" in verdict && !isMcpTool(moment))
    return "updatedOutput: before Claude 2.1.197 for MCP tools only";
  return moment.event === "PreCompact" && verdict.decision === "deny"
    ? "deny: before Claude 2.1.197 PreCompact does not take it"
    : undefined;
}

/** The verdict that stands in for the missing answer of a hook. */
export function silentVerdict(
  event: HookEvent,
  onTimeout: "block" | "continue" | undefined,
  reason: string,
): HookVerdict {
  return GUARDED.some((one) => one === event) && onTimeout !== "continue"
    ? { decision: "deny", reason }
    : {};
}

/** The output for the verdicts of all hooks, in the order in which they were declared. */
export function buildHookOutput(moment: HookMoment, verdicts: readonly HookVerdict[]): Fields {
  const { event } = moment;
  const decision = TAKEN[event].find((taken) => verdicts.some((one) => one.decision === taken));
  const reason = joined(
    verdicts.filter((one) => one.decision === decision).map((one) => one.reason),
  );
  const context = joined(verdicts.map((one) => one.context));
  const stop = verdicts.find((one) => one.stop !== undefined)?.stop;
  const isTool = event === "PreToolUse";
  const special = definedFields({
    ...(isTool && { permissionDecision: decision, permissionDecisionReason: reason }),
    updatedInput: verdicts.find((one) => one.updatedInput !== undefined)?.updatedInput,
    ...outputFields(moment, verdicts),
    additionalContext: context,
  });
  return {
    ...(!isTool && decision === "deny" && { decision: "block", reason: reason ?? "" }),
    ...(stop !== undefined && { continue: false, stopReason: stop }),
    ...(Object.keys(special).length > 0 && {
      hookSpecificOutput: { hookEventName: event, ...special },
    }),
  };
}

/** Every CLI knows the field for MCP tools, and the other one does not fit them on the oldest. */
function outputFields(moment: HookMoment, verdicts: readonly HookVerdict[]): Fields {
  const changed = verdicts.find((one) => one.updatedOutput !== undefined);
  if (changed === undefined) return {};
  const name = isMcpTool(moment) ? "updatedMCPToolOutput" : "updatedToolOutput";
  return { [name]: changed.updatedOutput };
}

function goesOnBy(event: HookEvent): boolean {
  return GOING_ON.some((one) => one === event);
}

function isMcpTool({ toolName }: HookMoment): boolean {
  return toolName?.startsWith("mcp__") === true;
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  const said = texts.filter((text) => text !== undefined);
  return said.length === 0 ? undefined : said.join("\n");
}
