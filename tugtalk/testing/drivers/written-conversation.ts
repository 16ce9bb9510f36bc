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
import type { JsonObject } from "../../simulator/json-value.ts";

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

const WRITE = { type: "tool_use", id: "tool1", name: "Write", input: { file_path: "a" } };

const PROMPT = {
  subtype: "can_use_tool",
  tool_name: "Write",
  input: { file_path: "a" },
  tool_use_id: "tool1",
};

/** A turn that asks for one tool, runs it and ends. */
export const ASKING: readonly object[] = [
  into({ type: "user" }),
  out(INIT),
  out({ type: "assistant", parent_tool_use_id: null, message: { id: "m", content: [WRITE] } }),
  out({ type: "control_request", request_id: "prompt1", request: PROMPT }),
  into({ type: "control_response", response: { request_id: "prompt1" } }),
  out({
    type: "user",
    parent_tool_use_id: null,
    session_id: SESSION,
    message: { content: [{ type: "tool_result", tool_use_id: "tool1", content: "written" }] },
    tool_use_result: { type: "create" },
  }),
  out({ ...RESULT, permission_denials: [] }),
];

/** The outcome of a whole run. */
export type Played = {
  readonly code: number;
  readonly stderr: string;
  readonly lines: readonly JsonObject[];
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
