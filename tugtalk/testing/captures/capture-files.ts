/** The captured conversations in the fixtures, and checks that chunking does not change their messages. */
import { expect } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { type Conversation, parseConversation } from "../../simulator/conversation.ts";
import { outputSize, playCapture } from "./capture-run.ts";

const FOLDER = join(import.meta.dir, "..", "fixtures", "captures");

/** The names of all captures: `version/name`. */
export const CAPTURES: readonly string[] = [...new Glob("*/*.jsonl").scanSync(FOLDER)]
  .map((path) => path.replace(".jsonl", ""))
  .sort();

/** Text, thinking, tools, prompts, questions, interrupts, errors and local commands, on each version. */
export const SMALL_CAPTURES: readonly string[] = [
  "2.1.38/text",
  "2.1.197/text",
  "2.1.330/text",
  "2.1.38/thinking",
  "2.1.330/thinking",
  "2.1.38/raw_bytes",
  "2.1.330/raw_bytes",
  "2.1.38/perm_allow",
  "2.1.330/perm_allow",
  "2.1.197/perm_deny",
  "2.1.38/slash_nosuchcommand",
  "2.1.330/slash_cost",
  "2.1.38/interrupt_streaming",
  "2.1.197/interrupt_streaming",
  "2.1.38/api_empty_text",
  "2.1.197/api_stream_cut",
  "2.1.330/api_refusal",
  "2.1.38/tool_bash_fail",
  "2.1.330/stdin_user_string_content",
  "2.1.330/ctl_initialize_first",
];

/** Reads one capture. */
export async function readCapture(capture: string): Promise<Conversation> {
  return parseConversation(await Bun.file(join(FOLDER, `${capture}.jsonl`)).text());
}

/** Expects the same messages when Claude's output arrives in chunks of `size` bytes. */
export async function expectSameInPieces(conversation: Conversation, size: number): Promise<void> {
  const whole = await playCapture(conversation);
  expect(await playCapture(conversation, { every: size })).toEqual([...whole]);
}

/** A prime, so that the cuts of one replay fall into different parts of the lines. */
const APART = 251;

/**
 * Expects the same messages when the lines of Claude's output are cut, in each replay at bytes that are 251
 * apart. The replays begin `step` bytes after each other: with 1 each byte is cut once.
 */
export async function expectSameWhenCut(conversation: Conversation, step: number): Promise<void> {
  const whole = await playCapture(conversation);
  expect(outputSize(conversation)).toBeGreaterThan(300);
  for (let at = 1; at <= APART; at += step) {
    const emitted = await playCapture(conversation, { at, apart: APART });
    if (!Bun.deepEquals(emitted, whole))
      expect({ at, emitted }).toEqual({ at, emitted: [...whole] });
  }
}
