/** Lines of Claude 2.1.330 in the session of a test, as the simulator builds them; their contents are made up. */
import {
  buildAssistant,
  buildInit,
  buildReplay,
  buildResult,
  buildStreamEvent,
  buildUser,
  type Session,
} from "../../simulator/claude-lines.ts";
import { resultBlock, textBlock } from "../../simulator/stream-events.ts";
import { type Fields, fieldsOf } from "../../src/base/json.ts";
import { captured } from "../captures/captured-line.ts";

/** The session that these lines belong to. */
export const SESSION_ID = "00000000-0000-4000-8000-000000000001";

const SESSION: Session = {
  sessionId: SESSION_ID,
  cwd: "/work/project",
  model: "claude-opus-5-5",
  permissionMode: "default",
  newId: () => crypto.randomUUID(),
};

const SUCCESS = {
  subtype: "success",
  isError: false,
  totalCost: 0.00354,
  modelCalls: 1,
  result: "Hello world",
  terminalReason: "completed",
};

/** A turn begins. */
export function initLine(fields: Fields = {}): Fields {
  return { ...buildInit(SESSION, undefined), ...fields };
}

/** A turn ends. */
export function resultLine(fields: Fields = {}): Fields {
  return { ...buildResult(SESSION, SUCCESS), ...fields };
}

/** The same, as an interrupt ends it. */
export function interruptedLine(fields: Fields = {}): Fields {
  return captured("result interrupted 330", { session_id: SESSION_ID, ...fields });
}

/** The end of a turn that Claude started by itself. */
export function wakeResultLine(): Fields {
  return captured("wake result", { session_id: SESSION_ID });
}

/** The end of a task without a known tool call: the next `init` starts another turn. */
export function wakeUpLine(): Fields {
  return captured("task notification", { tool_use_id: undefined });
}

/** Claude's echo of a host message. */
export function echoLine(uuid: string, text: string): Fields {
  return buildReplay(SESSION, { message: { role: "user", content: [textBlock(text)] }, uuid });
}

/** One event of the model's stream. */
export function eventLine(event: Fields): Fields {
  return buildStreamEvent(SESSION, "msg", event);
}

/** One finished block. */
export function assistantLine(id: string, block: Fields, fields: Fields = {}): Fields {
  const message = { id, model: SESSION.model, role: "assistant" };
  return { ...buildAssistant(SESSION, message, block), ...fields };
}

/** The output of a local command, as newer CLIs print it. */
export function commandOutputLine(text: string): Fields {
  const { message, ...line } = captured("command output 330");
  const content = [textBlock(text)];
  return { ...line, session_id: SESSION_ID, message: { ...fieldsOf(message), content } };
}

/** The outcome of a tool call. */
export function toolResultLine(toolUseId: string, content: unknown, fields: Fields = {}): Fields {
  return { ...buildUser(SESSION, resultBlock(toolUseId, content)), ...fields };
}

/** Claude asks whether Write may run. */
export function promptLine(requestId: string, fields: Fields = {}): Fields {
  const { request } = captured("can_use_tool 330");
  return {
    type: "control_request",
    request_id: requestId,
    request: { ...fieldsOf(request), ...fields },
  };
}

/** Claude asks two questions; the second takes several answers. */
export function questionLine(requestId: string, fields: Fields = {}): Fields {
  const options = ["Red", "Blue", "Sea, green"].map((label) => ({ label, description: label }));
  const input = {
    questions: [
      { question: "Which colour?", header: "Colour", options },
      { question: "Which colours?", header: "Colours", options, multiSelect: true },
    ],
  };
  return promptLine(requestId, { tool_name: "AskUserQuestion", input, ...fields });
}

/** An MCP server asks for a form. */
export function formLine(requestId: string): Fields {
  const form = { mcp_server_name: "tide", message: "who?", mode: "form" };
  const request = { subtype: "elicitation", ...form };
  return { type: "control_request", request_id: requestId, request };
}

/** A line about a subagent in the shapes that were seen; ids and texts are made up. */
export function taskLine(
  subtype: "task_started" | "task_updated" | "task_notification",
  taskId: string,
  toolUseId: string | undefined,
  fields: Fields = {},
): Fields {
  const ids = { task_id: taskId, tool_use_id: toolUseId };
  return { type: "system", subtype, task_type: "local_agent", ...ids, ...fields };
}
