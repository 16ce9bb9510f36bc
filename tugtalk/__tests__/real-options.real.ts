/** Long options, unusual keys and rare blocks, with every measured version. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import {
  callTool,
  newestMessages,
  ofType,
  openRealPlace,
  startRealSession,
} from "../testing/real/real-session.ts";
import { REAL_TIMEOUT_MS } from "../testing/real/real-shared-session.ts";

setDefaultTimeout(REAL_TIMEOUT_MS);

/** Longer than the limit of one argument on Linux, with blanks at both ends. */
const longPrompt = (word: string) => `${` ${word} `.padEnd(199_990, "ä ")}end ${word}\n `;

const USAGE = { input_tokens: 10, output_tokens: 1 };
const FALLBACK = { type: "fallback", from: { model: "claude-one" }, to: { model: "claude-other" } };

/** The events of an answer that another model finishes; the simulator has no such blocks. */
function answerOfTwoModels(): string {
  const text = (index: number, text: string) => [
    { type: "content_block_start", index, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index, delta: { type: "text_delta", text } },
    { type: "content_block_stop", index },
  ];
  const message = { id: "msg_two", type: "message", role: "assistant", model: "claude-one" };
  const events = [
    { type: "message_start", message: { ...message, content: [], usage: USAGE } },
    ...text(0, "Begun."),
    { type: "content_block_start", index: 1, content_block: FALLBACK },
    { type: "content_block_stop", index: 1 },
    ...text(2, "Ended."),
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: USAGE },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** Entries of the environment that a version reports on stderr; V197 reports none. */
const COMPLAINTS = {
  "2.1.38": { name: "NODE_OPTIONS", value: "--secret-words", words: "node: $NODE_OPTIONS is not" },
  "2.1.330": {
    name: "HTTPS_PROXY",
    value: "http://u:secret-words@",
    words: '"$HTTPS_PROXY" cannot',
  },
};

test.each(Object.entries(COMPLAINTS))(
  "claude %s that complains of an entry of env names it, and its value is not repeated",
  async (version, { name, value, words }) => {
    const place = await openRealPlace(version);
    const { bridge } = startRealSession(place, { options: { env: { [name]: value } } });
    expect((await bridge.next("error"))["message"]).toContain(words);
    await bridge.exited;
    expect(JSON.stringify(bridge.received)).not.toContain("secret-words");
    await place.close();
  },
);

describe.each([...MEASURED_VERSIONS])("claude %s", (version) => {
  test("system prompts of 200,000 characters reach the model whole", async () => {
    const place = await openRealPlace(version);
    const [system_prompt, append_system_prompt] = ["first", "second"].map(longPrompt);
    const options = { system_prompt, append_system_prompt };
    const session = startRealSession(place, { options });
    session.say("hello", "Hello.");
    expect((await session.turn()).end).toMatchObject({ result: "success", text: "Hello." });
    const { system } = place.api.requests.findLast(({ kind }) => kind === "main")?.body ?? {};
    expect(JSON.stringify(system)).toContain(JSON.stringify(system_prompt).slice(1, -1));
    expect(JSON.stringify(system)).toContain(JSON.stringify(append_system_prompt).slice(1, -1));
    await place.close();
  });

  test("an answer that another model finishes has a model_fallback between its texts", async () => {
    const place = await openRealPlace(version);
    const session = startRealSession(place);
    const headers = { "content-type": "text/event-stream" };
    session.say("hello", { status: 200, headers, body: answerOfTwoModels() });
    const { end, messages } = await session.turn();
    expect(end).toMatchObject({ result: "success", text: "Ended." });
    const emitted = messages.filter(
      ({ msg_id, status }) => msg_id === "msg_two" && status !== "partial",
    );
    expect(emitted).toMatchObject([
      { type: "assistant_text", block_index: 0, text: "Begun." },
      { type: "model_fallback", original_model: "claude-one", fallback_model: "claude-other" },
      { type: "assistant_text", block_index: 2, text: "Ended." },
      { type: "message_complete", stop_reason: "end_turn" },
    ]);
    expect(ofType(messages, "unknown_event")).toEqual([]);
    await place.close();
  });

  test("the answer to a question named __proto__ settles the prompt", async () => {
    const place = await openRealPlace(version);
    const session = startRealSession(place);
    const options = ["yes", "no"].map((label) => ({ label, description: label }));
    const question = { question: "__proto__", header: "Odd", multiSelect: false, options };
    session.say("ask me", callTool("AskUserQuestion", { questions: [question] }), "Noted.");
    const { request_id } = await session.prompt();
    const answers = { ["__proto__"]: "yes" };
    session.send({ type: "question_answer", request_id, answers });
    const { end, messages } = await session.turn();
    expect(end).toMatchObject({ result: "success", text: "Noted." });
    expect(ofType(messages, "control_request_resolved")).toMatchObject([{ outcome: "answered" }]);
    expect(newestMessages(place.api)).toContain(JSON.stringify('"__proto__"="yes"').slice(1, -1));
    await place.close();
  });
});
