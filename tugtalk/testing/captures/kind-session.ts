/** Prints one line of any kind in a session, after the lines that must precede it. */

import type { Emitted } from "../drivers/session-records.ts";
import { openSession, type TestSession } from "../drivers/test-session.ts";
import { fixtureOf, type Line } from "./kind-fixtures.ts";

const PROMPT: Line = {
  type: "control_request",
  request_id: "r-open",
  request: { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "toolu_1" },
};

/** The messages that a line leads to in the middle of a turn. */
export async function emittedFor(line: Line): Promise<readonly Emitted[]> {
  const session = await openSession({ init: { options: { tool_input_deltas: true } } });
  session.session.handleUserMessage({ type: "user_message", text: "go" });
  await session.claude().say(fixtureOf("system/init"));
  const fitted = await printPreceding(session, line);
  const before = session.emitted.length;
  await session.claude().say(fitted);
  await session.settle();
  return session.emitted.slice(before);
}

/** Prints the lines that must precede the line, and returns the line with matching ids. */
async function printPreceding(session: TestSession, line: Line): Promise<Line> {
  switch (line["type"]) {
    case "stream_event":
      await openBlock(session, line);
      return line;
    case "control_response":
      return responseToOurs(session, line);
    case "control_cancel_request":
      await session.claude().say(PROMPT);
      return { ...line, request_id: PROMPT["request_id"] };
    case "assistant":
      await supersededLines(session, line);
      return line;
    default:
      return line;
  }
}

async function openBlock(session: TestSession, { event }: Line): Promise<void> {
  const { type, index = 0, delta } = event as { type: string; index?: number; delta?: Line };
  if (type === "message_start") return;
  await session.claude().say(fixtureOf("stream_event/message_start"));
  if (!/_(delta|stop)$/.test(type) || type.startsWith("message_")) return;
  const content_block = blockOf(delta?.["type"]);
  const start = { type: "content_block_start", index, content_block };
  await session.claude().say({ type: "stream_event", parent_tool_use_id: null, event: start });
}

/** The block that a delta of this type belongs to. */
function blockOf(delta: unknown): Line {
  if (delta === "input_json_delta")
    return { type: "tool_use", id: "toolu_1", name: "Bash", input: {} };
  return delta === "thinking_delta"
    ? { type: "thinking", thinking: "" }
    : { type: "text", text: "" };
}

function responseToOurs(session: TestSession, line: Line): Line {
  session.session.handleModelChange({ type: "model_change", model: "opus" });
  const request = session.claude().writes.at(-1);
  const response = { ...(line["response"] as Line), request_id: request?.["request_id"] };
  return { ...line, response };
}

async function supersededLines(session: TestSession, { supersedes }: Line): Promise<void> {
  for (const uuid of (supersedes ?? []) as string[]) {
    await session.claude().say({ ...fixtureOf("assistant/text"), uuid });
  }
}
