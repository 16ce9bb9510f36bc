import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { type Conversation, parseConversation } from "../../simulator/conversation.ts";
import { checkCapture } from "./support/capture-check.ts";
import { expectedFaults } from "./support/capture-exceptions.ts";
import { outputSize, playCapture } from "./support/capture-run.ts";
import { smallAndForeign } from "./support/small-captures.ts";

const FOLDER = join(import.meta.dir, "fixtures", "captures");
const CAPTURES = [...new Glob("*/*.jsonl").scanSync(FOLDER)]
  .map((path) => path.replace(".jsonl", ""))
  .sort();

async function read(capture: string): Promise<Conversation> {
  return parseConversation(await Bun.file(join(FOLDER, `${capture}.jsonl`)).text());
}

describe("a captured conversation is told whole, with one end for each turn", () => {
  test.each(CAPTURES)("%s", async (capture) => {
    const conversation = await read(capture);
    expect(checkCapture(conversation, await playCapture(conversation))).toEqual([
      ...expectedFaults(capture),
    ]);
  });
});

describe("bytes that come one by one, or seven at a time, give the same messages", () => {
  test.each(CAPTURES)("%s", async (capture) => {
    const conversation = await read(capture);
    const whole = await playCapture(conversation);
    for (const size of [1, 7]) {
      expect(await playCapture(conversation, { every: size })).toEqual([...whole]);
    }
  });
});

/** Text, thinking, tools, prompts, questions, interrupts, errors and local commands, on each version. */
const SMALL = [
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

/** Thousands of plays each, in ms. */
const CUTTING_TIMEOUT = 60_000;

describe("a cut at any byte of a small capture gives the same messages", () => {
  const cutEverywhere = async (capture: string) => {
    const conversation = smallAndForeign(await read(capture));
    const whole = await playCapture(conversation);
    const size = outputSize(conversation);
    for (let at = 1; at < size; at += 1) {
      const told = await playCapture(conversation, { at });
      if (!Bun.deepEquals(told, whole)) expect({ at, told }).toEqual({ at, told: [...whole] });
    }
    expect(size).toBeGreaterThan(300);
  };
  test.each(SMALL)("%s", cutEverywhere, CUTTING_TIMEOUT);
});
