/** A call of a tool, with its hooks, its prompt and its result. Protocol reference §5, §22 and §23. */
import { type Fields, fieldsOf } from "../src/base/json.ts";
import { buildToolError, buildUser } from "./claude-lines.ts";
import type { PlayedEntry, ScriptedCall } from "./conversation.ts";
import { ask, atHook, waitFor } from "./host-questions.ts";
import { fieldOf, textOf } from "./json-value.ts";
import { newApiId } from "./scenario-ids.ts";
import { ending } from "./shorthand.ts";
import type { SimulatorState } from "./simulator-state.ts";
import { resultBlock } from "./stream-events.ts";

type Call = {
  readonly id: string;
  readonly name: string;
  readonly input: Fields;
  /** The result of a tool of Claude's own. */
  readonly result: string;
  /** A hook ends the turn after this call. */
  readonly isLast: boolean;
};

type Outcome = { readonly content: unknown; readonly isError: boolean };

/** The call of the model, and the entries that follow from it. */
export function callOf(
  state: SimulatorState,
  { name, input, result = "" }: ScriptedCall,
): readonly PlayedEntry[] {
  const id = newApiId("toolu", state.session.newId);
  const call = { id, name, input, result, isLast: false };
  const content = [{ type: "tool_use" as const, id, name, input }];
  return [
    { dir: "reply", msg: { content, pieceChars: 14, delayMs: 15 } },
    ...atHook(state, "PreToolUse", toolFields(call), (output) => {
      const { permissionDecision, permissionDecisionReason, updatedInput } =
        output.hookSpecificOutput ?? {};
      const changed = {
        ...call,
        input: updatedInput ?? input,
        isLast: output.continue === false,
      };
      if (permissionDecision === "deny" || output.decision === "block") {
        const reason = permissionDecisionReason || output.reason;
        return fail(state, changed, `PreToolUse:${name} hook error: ${reason}`);
      }
      const isAllowed = permissionDecision === "allow" || isPermitted(state, name);
      if (isAllowed && permissionDecision !== "ask") return run(state, changed);
      return permit(state, changed);
    }),
  ];
}

function toolFields({ id, name, input }: Call): Fields {
  return { tool_name: name, tool_input: input, tool_use_id: id };
}

function isPermitted({ options, session }: SimulatorState, name: string): boolean {
  const isBypassed = session.permissionMode === "bypassPermissions";
  return isBypassed || options.commandLine.allowedTools.includes(name);
}

/** A denied tool already has its result when the answer is read. */
function permit(state: SimulatorState, call: Call): readonly PlayedEntry[] {
  const { id, name, input } = call;
  const rules = [{ toolName: name }];
  const suggestion = { type: "addRules", rules, behavior: "allow", destination: "localSettings" };
  const server = state.program.tools.find((tool) => tool.name === name);
  const request = {
    subtype: "can_use_tool",
    tool_name: name,
    ...(server !== undefined && { mcp_server: { name: server.server, source: "sdk" } }),
    display_name: server === undefined ? name : titleOf(server.tool.name),
    input,
    permission_suggestions: [suggestion],
    tool_use_id: id,
  };
  return ask(state, request, (response) => {
    if (!state.printed.openTools.has(id)) return [];
    const updated = fieldOf(response, "response", "updatedInput");
    return run(state, { ...call, input: updated === undefined ? input : fieldsOf(updated) });
  });
}

function titleOf(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function run(state: SimulatorState, call: Call): readonly PlayedEntry[] {
  const { id, name, input, result } = call;
  if (!name.startsWith("mcp__")) return finish(state, call, { content: result, isError: false });
  const tool = state.program.tools.find((one) => one.name === name);
  if (tool === undefined) return fail(state, call, `No such tool available: ${name}`);
  return waitFor(state, state.program.call(tool, input, id), (response) =>
    finish(state, call, outcomeOf(response)),
  );
}

/** The model's result from the answer of an MCP server. */
function outcomeOf(response: unknown): Outcome {
  if (response === undefined)
    return {
      content: "The tool call was interrupted before a result was received",
      isError: true,
    };
  const refused = textOf(response, "error");
  if (refused !== undefined) return { content: refused, isError: true };
  const answer = fieldOf(response, "response", "mcp_response");
  const failed = textOf(answer, "error", "message");
  if (failed !== undefined) return { content: failed, isError: true };
  const blocks = fieldOf(answer, "result", "content");
  const content = Array.isArray(blocks) ? blocks.map(blockOf) : [];
  if (fieldOf(answer, "result", "isError") !== true) return { content, isError: false };
  return { content: content.map((block) => textOf(block, "text") ?? "").join("\n"), isError: true };
}

/** MCP and the API write an image differently. */
function blockOf(block: unknown): unknown {
  if (textOf(block, "type") !== "image") return block;
  const { mimeType: media_type, data } = fieldsOf(block);
  return { type: "image", source: { type: "base64", media_type, data } };
}

/** The hook after a tool, and its result. */
function finish(state: SimulatorState, call: Call, outcome: Outcome): readonly PlayedEntry[] {
  const { content, isError } = outcome;
  if (isError) {
    const fields = { ...toolFields(call), error: content, is_interrupt: false };
    return atHook(state, "PostToolUseFailure", fields, () => fail(state, call, String(content)));
  }
  const fields = { ...toolFields(call), tool_response: content };
  return atHook(state, "PostToolUse", fields, (output) => {
    const changed = output.hookSpecificOutput?.updatedMCPToolOutput;
    const shown = call.name.startsWith("mcp__") ? (changed ?? content) : content;
    const line = buildUser(state.session, resultBlock(call.id, shown));
    const isLast = call.isLast || output.continue === false;
    return [
      { dir: "out", msg: { ...line, tool_use_result: shown } },
      ...last(state, { ...call, isLast }),
    ];
  });
}

function fail(state: SimulatorState, call: Call, text: string): readonly PlayedEntry[] {
  const line = buildToolError(state.session, call.id, text);
  return [{ dir: "out", msg: line }, ...last(state, call)];
}

/** Ends the turn if a hook has demanded it. */
function last(state: SimulatorState, { isLast }: Call): readonly PlayedEntry[] {
  if (!isLast) return [];
  const end = () => {
    for (const line of ending(state, { terminal_reason: "hook_stopped" })) state.printOfTurn(line);
    return undefined;
  };
  return [{ dir: "then", msg: end }];
}
