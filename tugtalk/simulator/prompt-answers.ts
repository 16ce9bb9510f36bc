/**
 * The effects of an answer to a prompt: its echo, and the failed tool after a denial or an invalid answer.
 * Also the end of the turn after a denial that interrupts, and the later prompts that it makes needless.
 * Protocol reference §5b.
 */

import { type Fields, isJsonObject } from "../src/base/json.ts";
import { buildStatus, buildToolError } from "./claude-lines.ts";
import { buildDeniedEnd, buildRejection } from "./interruption.ts";
import { fieldOf, textOf } from "./json-value.ts";
import type { OpenPrompt } from "./printed-lines.ts";
import { judgeAnswer } from "./refusals.ts";
import type { SimulatorState } from "./simulator-state.ts";

/** Takes the host's answer. `pattern` is the answer in the conversation. */
export function settlePrompt(
  state: SimulatorState,
  prompt: OpenPrompt,
  answer: Fields,
  pattern: unknown,
): void {
  state.printed.openPrompts.delete(prompt.requestId);
  const response = isJsonObject(answer["response"]) ? answer["response"] : {};
  echo(state, prompt, answer);
  if (state.answers.has(prompt.requestId)) state.answers.set(prompt.requestId, response);
  if (prompt.subtype === "mcp_message")
    for (const line of state.program.proceed(prompt.request, response)) state.print(line);
  state.script.learnAnswer(prompt.request, response["response"]);
  const isAsWritten = Bun.deepEquals(fieldOf(pattern, "response"), response);
  if (prompt.subtype !== "can_use_tool" || isAsWritten) return;
  const verdict = judgeAnswer(response);
  if (verdict.kind === "allowed") {
    takeUpdates(state, fieldOf(response["response"], "updatedPermissions"));
    return;
  }
  state.denials.push({
    tool_name: prompt.request["tool_name"],
    tool_use_id: prompt.toolUseId,
    tool_input: prompt.request["input"],
  });
  if (verdict.kind === "refused") failTool(state, prompt, verdict.reason);
  else if (verdict.interrupt) endTurn(state, prompt);
  else failTool(state, prompt, verdict.message);
}

/** An answer may change the mode of the session; rules and directories apply until the process ends. */
function takeUpdates(state: SimulatorState, updates: unknown): void {
  if (!Array.isArray(updates)) return;
  state.granted = [...state.granted, ...updates];
  const change = updates.find(isModeChange);
  const permissionMode = textOf(change, "mode");
  if (permissionMode === undefined) return;
  state.session = { ...state.session, permissionMode };
  state.print(buildStatus(state.session, { status: null, permissionMode }));
}

function isModeChange(update: unknown): boolean {
  return fieldOf(update, "type") === "setMode";
}

/** Fails the tool of a prompt that can no longer be answered, since stdin is closed. */
export function settleUnanswerable(state: SimulatorState, prompt: OpenPrompt): void {
  state.printed.openPrompts.delete(prompt.requestId);
  const reason = "AbortError: Tool permission stream closed before response received";
  failTool(state, prompt, `Tool permission request failed: ${reason}`);
}

/** Every success answer is echoed unchanged, even one that then fails the tool. */
function echo(state: SimulatorState, prompt: OpenPrompt, answer: Fields): void {
  if (fieldOf(answer, "response", "subtype") !== "success" || !state.echoesUser) return;
  if (!state.script.replaceEcho(prompt.requestId, answer)) state.print(answer);
}

/** The failure replaces the scripted result, and the conversation goes on after it. */
function failTool(state: SimulatorState, prompt: OpenPrompt, reason: string): void {
  const { toolUseId, subtype } = prompt;
  if (toolUseId === undefined || subtype === "hook_callback") return;
  const line = buildToolError(state.session, toolUseId, reason);
  const scripted = state.script.findToolResult(toolUseId);
  if (scripted === undefined) {
    state.print(line);
    return;
  }
  const { tool_use_result: _result, tool_result_meta: _meta, ...parentToolUseId } = scripted;
  const parent = { parent_tool_use_id: parentToolUseId["parent_tool_use_id"] ?? null };
  state.script.replaceToolResult(toolUseId, { ...parentToolUseId, ...line, ...parent });
}

function endTurn(state: SimulatorState, { toolUseId = "" }: OpenPrompt): void {
  const { session, printed, script } = state;
  state.print(buildRejection(session, toolUseId));
  for (const line of buildDeniedEnd(session, printed.totalCost)) state.printOfTurn(line);
  script.skipTurn();
}

/**
 * Whether the CLI would not send this prompt of a scenario. It is a dialog of a kind that the host has not
 * declared in `initialize.supportedDialogKinds`, or a prompt for a tool of which the host has accepted every
 * suggestion. The prompt is left out with its answer. A conversation file is played unchanged.
 */
export function isNeedless(state: SimulatorState, line: Fields): boolean {
  if (!state.options.isRepeated) return false;
  const subtype = textOf(line, "request", "subtype");
  if (subtype === "request_user_dialog")
    return !state.dialogKinds.includes(fieldOf(line, "request", "dialog_kind"));
  return subtype === "can_use_tool" && isGranted(state, fieldOf(line, "request"));
}

function isGranted(state: SimulatorState, request: unknown): boolean {
  const suggestions = fieldOf(request, "permission_suggestions");
  if (!Array.isArray(suggestions) || suggestions.length === 0) return false;
  return suggestions.every((suggestion) => isTaken(state, suggestion));
}

/** The host may have chosen another destination. */
function isTaken({ session, granted }: SimulatorState, suggestion: unknown): boolean {
  if (textOf(suggestion, "type") === "setMode")
    return textOf(suggestion, "mode") === session.permissionMode;
  return granted.some((update) =>
    ["type", "behavior", "rules", "directories"].every((key) =>
      Bun.deepEquals(fieldOf(update, key), fieldOf(suggestion, key)),
    ),
  );
}
