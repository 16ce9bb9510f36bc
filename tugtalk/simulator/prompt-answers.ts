/**
 * The effects of an answer to a prompt: its echo, the failed tool after a denial or an invalid answer,
 * and the end of the turn after a denial that interrupts. Protocol reference §5b.
 */
import { buildStatus, buildToolError } from "./claude-lines.ts";
import { buildDeniedEnd, buildRejection } from "./interruption.ts";
import { fieldOf, isObject, isSameJson, type JsonObject, textOf } from "./json-value.ts";
import type { OpenPrompt } from "./printed-lines.ts";
import { judgeAnswer } from "./refusals.ts";
import type { Stage } from "./stage.ts";

/** Takes the host's answer. `pattern` is the answer that the conversation was written with. */
export function settlePrompt(
  stage: Stage,
  prompt: OpenPrompt,
  answer: JsonObject,
  pattern: unknown,
): void {
  stage.printed.openPrompts.delete(prompt.requestId);
  const response = isObject(answer["response"]) ? answer["response"] : {};
  echo(stage, prompt, answer);
  stage.script.learnAnswer(prompt.request, response["response"]);
  const isAsWritten = isSameJson(fieldOf(pattern, "response"), response);
  if (prompt.subtype !== "can_use_tool" || isAsWritten) return;
  const verdict = judgeAnswer(stage.session.version, response);
  if (verdict.kind === "allowed") {
    takeUpdates(stage, fieldOf(response["response"], "updatedPermissions"));
    return;
  }
  stage.denials.push({
    tool_name: prompt.request["tool_name"],
    tool_use_id: prompt.toolUseId,
    tool_input: prompt.request["input"],
  });
  if (verdict.kind === "refused") failTool(stage, prompt, verdict.reason);
  else if (verdict.interrupt) endTurn(stage, prompt, verdict.message);
  else failTool(stage, prompt, verdict.message);
}

/** An answer may change the mode of the session; rules and directories hold as long as the process. */
function takeUpdates(stage: Stage, updates: unknown): void {
  if (!Array.isArray(updates)) return;
  stage.granted = [...stage.granted, ...updates];
  const change = updates.find(isModeChange);
  const permissionMode = textOf(change, "mode");
  if (permissionMode === undefined) return;
  stage.session = { ...stage.session, permissionMode };
  stage.print(buildStatus(stage.session, { status: null, permissionMode }));
}

function isModeChange(update: unknown): boolean {
  return fieldOf(update, "type") === "setMode";
}

/** Fails the tool of a prompt that can no longer be answered, since stdin is closed. */
export function settleUnanswerable(stage: Stage, prompt: OpenPrompt): void {
  stage.printed.openPrompts.delete(prompt.requestId);
  const name = stage.session.version === "2.1.330" ? "AbortError" : "Error";
  const reason = `${name}: Tool permission stream closed before response received`;
  failTool(stage, prompt, `Tool permission request failed: ${reason}`);
}

/** Every success answer comes back as it was sent, even one that then fails the tool. */
function echo(stage: Stage, prompt: OpenPrompt, answer: JsonObject): void {
  if (fieldOf(answer, "response", "subtype") !== "success" || !stage.echoesUser) return;
  if (!stage.script.replaceEcho(prompt.requestId, answer)) stage.print(answer);
}

/** The failure replaces the scripted result, and the conversation goes on after it. */
function failTool(stage: Stage, prompt: OpenPrompt, reason: string): void {
  const { toolUseId } = prompt;
  if (toolUseId === undefined) return;
  const line = buildToolError(stage.session, toolUseId, reason);
  const scripted = stage.script.findToolResult(toolUseId);
  if (scripted === undefined) {
    stage.print(line);
    return;
  }
  const { tool_use_result: _result, tool_result_meta: _meta, ...parentToolUseId } = scripted;
  const parent = { parent_tool_use_id: parentToolUseId["parent_tool_use_id"] ?? null };
  stage.script.replaceToolResult(toolUseId, { ...parentToolUseId, ...line, ...parent });
}

function endTurn(stage: Stage, prompt: OpenPrompt, message: string): void {
  const { toolUseId = "" } = prompt;
  const { session, printed, script } = stage;
  stage.print(
    session.version === "2.1.38"
      ? buildToolError(session, toolUseId, message)
      : buildRejection(session, toolUseId),
  );
  for (const line of buildDeniedEnd(session, printed.totalCost)) stage.printOfTurn(line);
  script.skipTurn();
}
