/**
 * Conversations that tests write, and a function that runs one: start, send, close, read.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  controlLine,
  type DriverOptions,
  startClaude,
} from "../../simulator/__tests__/support/claude-driver.ts";
import { resultBlock, toolBlock } from "../../simulator/stream-events.ts";
import type { Fields } from "../../src/base/json.ts";

/** Where conversations and logs of this test file go. */
export const folder = mkdtempSync(join(tmpdir(), "stand-in-"));

/** An interrupt. */
export const INTERRUPT = controlLine("stop", { subtype: "interrupt" });

/** The session id in written conversations. */
export const SESSION = "aaaaaaaa-0000-4000-8000-000000000000";

/** The line that opens a turn. */
export const INIT = { type: "system", subtype: "init", session_id: SESSION };

/** The line that ends a turn. */
export const RESULT = {
  type: "result",
  subtype: "success",
  is_error: false,
  session_id: SESSION,
};

let written = 0;

/** Writes a conversation file; returns the environment with which the stand-in plays it. */
export function writeConversation(entries: readonly object[]): Readonly<Record<string, string>> {
  const path = join(folder, `${written++}.jsonl`);
  writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  return { TUGTALK_CONVERSATION: path };
}

/** A line that Claude prints. */
export const out = (msg: unknown) => ({ dir: "out", msg });

/** A line that Claude waits for. */
export const into = (msg: unknown) => ({ dir: "in", msg });

/** A turn begins. */
export const OPENING: readonly object[] = [into({ type: "user" }), out(INIT)];

/** Claude waits for this for ever. */
export const HOLD = into({ type: "nothing that comes" });

const envelope = { session_id: SESSION, parent_tool_use_id: null };

/** Claude prints an event of its stream. */
export const event = (body: Fields) => out({ type: "stream_event", ...envelope, event: body });

/** Claude prints a finished message. */
export const says = (id: string, ...content: readonly Fields[]) =>
  out({ type: "assistant", ...envelope, message: { id, content } });

/** A tool has ended. */
export const toolResult = (id: string, content: string, fields: Fields = {}) =>
  out({ type: "user", ...envelope, message: { content: [resultBlock(id, content)] }, ...fields });

/** Claude asks the host. */
export const asks = (request_id: string, request: Fields) =>
  out({ type: "control_request", request_id, request });

/** Claude waits for the answer. */
export const answered = (request_id: string) =>
  into({ type: "control_response", response: { request_id } });

/** The request for the permission of a call. */
export const permission = ({ id, name, input }: ReturnType<typeof toolBlock>) => ({
  subtype: "can_use_tool",
  tool_name: name,
  input,
  tool_use_id: id,
});

/** A turn that asks for one tool, runs it and ends. The prompt is `prompt1`. */
export function askingFor(name: string, input: Fields): readonly object[] {
  const call = toolBlock("tool1", name, input);
  return [
    ...OPENING,
    says("m", call),
    asks("prompt1", permission(call)),
    answered("prompt1"),
    toolResult("tool1", "written", { tool_use_result: { type: "create" } }),
    out({ ...RESULT, permission_denials: [] }),
  ];
}

/** A turn that asks for Write. */
export const ASKING = askingFor("Write", { file_path: "a" });

/** The outcome of a whole run. */
export type Played = {
  readonly code: number;
  readonly stderr: string;
  readonly lines: readonly Fields[];
  readonly texts: readonly string[];
};

/** Starts a bridge, sends the messages, closes stdin and reads to the end. */
export async function playOut(
  options: DriverOptions,
  ...lines: readonly unknown[]
): Promise<Played> {
  const claude = startClaude(options);
  claude.send(...lines);
  claude.close();
  const { code, stderr } = await claude.ended();
  return { code, stderr, lines: claude.lines(), texts: claude.texts };
}
