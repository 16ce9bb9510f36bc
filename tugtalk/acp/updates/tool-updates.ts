/** Tool calls: sent once, then changed, forward only, to their end. Pure. */
import type { ToolCallContent } from "@agentclientprotocol/sdk";
import { tasksAfter } from "../../client/reducer/task-list.ts";
import { agentReport, launchText } from "../../client/views/tool-outputs.ts";
import { type Fields, fieldsOf } from "../../src/base/json.ts";
import { isInnerLaunch } from "../inner-launch.ts";
import { isInBackground, outerOf } from "./agent-calls.ts";
import { agentEnd, agentState } from "./agent-updates.ts";
import { commandBegin, commandEnd, terminalExit } from "./command-output.ts";
import { continueStep, pauseStep, withChild } from "./continued-agents.ts";
import { fenced } from "./fenced-text.ts";
import { type Before, fileDiff, isCrlf, plannedDiff } from "./file-diff.ts";
import { planOf } from "./plan-update.ts";
import { blockOf } from "./shown-blocks.ts";
import { textContent } from "./text-content.ts";
import { isAgentCall, kindOf, locationsOf } from "./tool-kinds.ts";
import { titleOf } from "./tool-title.ts";
import {
  type MessageOf,
  marked,
  metaOf,
  type Row,
  type Step,
  stepTo,
  type ToolCallState,
  type Update,
  type UpdateState,
} from "./update-state.ts";

export const toolUse: Row<"tool_use"> = (state, message, before) => {
  if (kindOf(message.tool_name) !== "read" || before === undefined)
    return toolStep(state, message, before);
  return toolStep(withFile(state, message.input?.["file_path"], before), message);
};

const toolStep: Row<"tool_use"> = (state, message, before) => {
  const { tool_use_id: id, tool_name: name, status, input, turn_id: turnId } = message;
  const known = state.tools.get(id);
  if (known?.isEnded) return stepTo(state);
  if (status === "abandoned") return endStep(state, id, "failed");
  const isComplete = status === "complete";
  if (known !== undefined && !isComplete) return stepTo(state);
  const parent = message.parent_tool_use_id;
  const tool = { isEnded: false, turnId, parent, ...known, name, input, before };
  const next = withTool(state, id, tool);
  const call = { toolCallId: id, ...callParts(state, message, before), ...metaOf(message) };
  const agent = isComplete ? agentState(state, id, tool, { state: "running" }) : [];
  if (known !== undefined)
    return stepTo(
      next,
      { sessionUpdate: "tool_call_update", status: "in_progress", ...call },
      ...agent,
    );
  const { _meta, ...begin } = commandBegin(state, id, name);
  const first: Update = {
    sessionUpdate: "tool_call",
    name,
    kind: kindOf(name),
    status: isComplete ? "in_progress" : "pending",
    ...begin,
    ...call,
  };
  return stepTo(next, withMeta(first, _meta), ...agent);
};

/** Notes the line ends of a file that Claude reads or has written. */
function withFile(state: UpdateState, path: unknown, text: Before): UpdateState {
  if (typeof path !== "string" || typeof text !== "string") return state;
  const { crlfFiles } = state;
  if (crlfFiles.has(path) === isCrlf(text)) return state;
  const others = [...crlfFiles].filter((one) => one !== path);
  return { ...state, crlfFiles: new Set(isCrlf(text) ? [...others, path] : others) };
}

/** The title, input, files and planned change of a call, as far as they are known. */
function callParts(
  { dir }: UpdateState,
  { tool_name: name, input }: MessageOf<"tool_use">,
  before: Before,
) {
  if (input === undefined) return { title: titleOf(dir, name) };
  const diff = plannedDiff(input, before);
  return {
    title: titleOf(dir, name, input),
    rawInput: input,
    locations: locationsOf(dir, input),
    ...(diff !== undefined && { content: [diff] }),
  };
}

function withMeta(update: Update, meta: Fields | undefined): Update {
  return meta === undefined ? update : { ...update, _meta: { ...update._meta, ...meta } };
}

export const toolResult: Row<"tool_result"> = (state, message) => {
  const { tool_use_id: id, is_error } = message;
  const known = state.tools.get(id);
  if (known === undefined || known.isEnded) return stepTo(state);
  if (isAgentCall(known.name) && !is_error) return agentResult(state, id, known, message);
  if (hasChange(known, message)) return held(state, id, known, message);
  const shown = commandEnd(state, known.name, message) ?? { content: contentOf(known, message) };
  return endStep(state, id, is_error ? "failed" : "completed", {
    ...shown,
    rawOutput: message.output,
  });
};

/** The change of a file is in the structured result, which follows; only the edits of agents have none. */
function hasChange(
  { name }: ToolCallState,
  { is_error, parent_tool_use_id: parent }: MessageOf<"tool_result">,
): boolean {
  return kindOf(name) === "edit" && !is_error && parent === undefined;
}

function held(
  state: UpdateState,
  id: string,
  known: ToolCallState,
  heldResult: MessageOf<"tool_result">,
): Step {
  return stepTo(withTool(state, id, { ...known, heldResult }));
}

export const toolUseStructured: Row<"tool_use_structured"> = (state, message) => {
  const { tool_use_id: id, structured_result: result } = message;
  const known = state.tools.get(id);
  if (known === undefined || known.isClosed) return stepTo(state);
  const { name, input, before, heldResult } = known;
  if (heldResult !== undefined && isAgentCall(name))
    return agentStep(withChild(state, fieldsOf(result)["agentId"], id), id, heldResult, result);
  // It repeats the text of the result, which the client has.
  if (heldResult === undefined && typeof result === "string") return stepTo(state);
  const tasks = tasksAfter(state.tasks, { name, ...(input !== undefined && { input }) }, result);
  const next = tasks === state.tasks ? state : { ...state, tasks };
  const plan = next === state ? [] : [planOf(tasks)];
  const diff = fileDiff(result, input, before, (path) => state.crlfFiles.has(path));
  const shown = { rawOutput: result, ...(diff !== undefined && { content: [diff] }) };
  const now = withFile(next, diff?.path, diff?.newText);
  if (heldResult !== undefined)
    return endStep(now, id, "completed", { content: contentOf(known, heldResult), ...shown });
  return stepTo(now, { sessionUpdate: "tool_call_update", toolCallId: id, ...shown }, ...plan);
};

/** The structured result says whether an agent has ended, or runs in the background from here on. */
function agentResult(
  state: UpdateState,
  id: string,
  known: ToolCallState,
  message: MessageOf<"tool_result">,
): Step {
  if (message.parent_tool_use_id === undefined) return held(state, id, known, message);
  if (isInnerLaunch(message)) return launchStep(state, id, known);
  const content = textContent(agentReport(message.output, undefined));
  return endStep(state, id, "completed", { content });
}

function agentStep(
  state: UpdateState,
  id: string,
  held: MessageOf<"tool_result">,
  result: unknown,
): Step {
  const known = state.tools.get(id);
  if (known === undefined) return stepTo(state);
  if (launchText(result) !== undefined) return launchStep(state, id, known);
  const content = textContent(agentReport(held.output, result));
  return endStep(state, id, "completed", { content, rawOutput: result });
}

/** The call stays open until the end of its task, where Claude reports tasks. */
function launchStep(state: UpdateState, id: string, known: ToolCallState): Step {
  const isLaunched = known.hasTask === true;
  const next = withTool(state, id, { ...known, heldResult: undefined, isLaunched });
  if (isLaunched) return stepTo(next);
  return endStep(next, id, "completed", { content: textContent("Started in the background") });
}

export const taskStarted: Row<"task_started"> = (state, message) => {
  const { tool_use_id: id = "", task_id } = message;
  const known = state.tools.get(id);
  if (known === undefined || !isAgentCall(known.name)) return continueStep(state, message);
  return stepTo(
    withChild(withTool(state, id, { ...known, hasTask: true, isUnseen: false }), task_id, id),
  );
};

/** The end of an agent in the background; any other task ends with the result of its call. */
export const taskNotification: Row<"task_notification"> = (state, message) => {
  const { tool_use_id: id = "", status, summary } = message;
  const known = state.tools.get(id);
  if (known?.isLaunched !== true) return pauseStep(state, message);
  // The summary of a task that was stopped is only the description of its call.
  const said = summary === known.input?.["description"] ? undefined : summary;
  const content = textContent(said ?? "");
  const ended = endStep(state, id, status === "completed" ? "completed" : "failed", { content });
  return { ...ended, updates: ended.updates.map((update) => marked(update, BACKGROUND)) };
};

/** Marks the end of an agent in the background, which may come after the answer to its prompt. */
const BACKGROUND = { background: true };

/** The calls of a turn end with it, but for calls of agents that run in the background. */
export function closeTurnStep(state: UpdateState, turnId: string): Step {
  const { state: closed, updates } = closeStep(
    state,
    (tool) => tool.turnId === turnId && (tool.isUnseen === true || !isInBackground(state, tool)),
  );
  const left = [...closed.tools].filter(([, { isEnded }]) => !isEnded);
  return stepTo({ ...closed, tools: new Map(left) }, ...updates);
}

/** Ends calls that have no result. The calls of an agent end with its own, and before it. */
export function closeStep(state: UpdateState, isOver: (tool: ToolCallState) => boolean): Step {
  const isEnding = (tool: ToolCallState): boolean => {
    const outer = outerOf(state, tool);
    return !tool.isEnded && (isOver(tool) || (outer !== undefined && isEnding(outer)));
  };
  const open = [...state.tools].filter(([, tool]) => isEnding(tool));
  const over = open.toReversed();
  const ended = over.map(([id, tool]) => [id, { ...tool, isEnded: true, isClosed: true }] as const);
  const updates = over.flatMap(([id, tool]) => closedUpdates(state, id, tool));
  return stepTo({ ...state, tools: new Map([...state.tools, ...ended]) }, ...updates);
}

function closedUpdates(state: UpdateState, id: string, tool: ToolCallState): Update[] {
  const { name, heldResult: result } = tool;
  if (result !== undefined && !isAgentCall(name)) {
    const end = { content: contentOf(tool, result), rawOutput: result.output };
    return endUpdates(state, id, tool, { status: "completed", ...end });
  }
  const meta = metaOf({ parent_tool_use_id: tool.parent });
  const { _meta } = kindOf(tool.name) === "execute" ? terminalExit(state.features, id) : {};
  const update = { ...endUpdate(id, "failed"), ...meta };
  const ends = [withMeta(update, _meta), ...agentEnd(state, id, tool, "failed")];
  return tool.isLaunched === true ? ends.map((end) => marked(end, BACKGROUND)) : ends;
}

type End = {
  readonly content?: ToolCallContent[];
  readonly rawOutput?: unknown;
  readonly _meta?: Fields;
};

type Status = "completed" | "failed";

function endStep(state: UpdateState, id: string, status: Status, end?: End): Step {
  const known = state.tools.get(id);
  if (known === undefined) return stepTo(state);
  const left = closeStep(state, (tool) => outerOf(state, tool) === known);
  const next = withTool(left.state, id, { ...known, heldResult: undefined, isEnded: true });
  return stepTo(next, ...left.updates, ...endUpdates(state, id, known, { status, ...end }));
}

function endUpdates(
  state: UpdateState,
  id: string,
  known: ToolCallState,
  { status, _meta, ...shown }: End & { readonly status: Status },
): Update[] {
  const meta = metaOf({ parent_tool_use_id: known.parent });
  const update = { ...endUpdate(id, status), ...shown, ...meta };
  return [withMeta(update, _meta), ...agentEnd(state, id, known, status)];
}

function endUpdate(toolCallId: string, status: Status) {
  return { sessionUpdate: "tool_call_update", toolCallId, status } as const;
}

/** A diff that the client has stays, unless the call has failed. */
function contentOf(
  { name, input = {}, before }: ToolCallState,
  { output, content, is_error }: MessageOf<"tool_result">,
): ToolCallContent[] {
  const diff = is_error ? undefined : plannedDiff(input, before);
  if (diff !== undefined) return [diff];
  // The lines of a file are no Markdown.
  if (content === undefined)
    return textContent(name === "Read" && !is_error ? fenced(output) : output);
  return content.flatMap(blockOf).map((block) => ({ type: "content", content: block }));
}

/** A call that has ended is known for as long as its structured result may come. */
const ENDED_KEPT = 16;

function withTool(state: UpdateState, id: string, tool: ToolCallState): UpdateState {
  const tools = new Map(state.tools);
  if (!tool.isEnded) return { ...state, tools: tools.set(id, tool) };
  // In the order of their ends.
  tools.delete(id);
  tools.set(id, tool);
  const ended = [...tools].filter(([, { isEnded }]) => isEnded);
  for (const [old] of ended.slice(0, -ENDED_KEPT)) tools.delete(old);
  return { ...state, tools };
}
