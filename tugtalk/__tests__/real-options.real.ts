/** Options and rare blocks: long prompts, entries of the environment, models and effort, with every measured version. */
import { expect } from "bun:test";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { callTool, startGate } from "../testing/real/real-replies.ts";
import { conversationSent, newestBody } from "../testing/real/real-requests.ts";
import { ofType, type RealSession, userTexts } from "../testing/real/real-session.ts";
import { realTests } from "../testing/real/real-tests.ts";

/** Entries of the environment that a version reports on stderr; 2.1.197 reports none. */
const COMPLAINTS = {
  "2.1.38": { name: "NODE_OPTIONS", value: "--secret-words", words: "node: $NODE_OPTIONS is not" },
  "2.1.330": {
    name: "HTTPS_PROXY",
    value: "http://u:secret-words@",
    words: '"$HTTPS_PROXY" cannot',
  },
};

for (const version of ["2.1.38", "2.1.330"] as const)
  realTests(version)(
    "a claude that complains of an entry of env names it, and its value is not repeated",
    async (place) => {
      const { name, value, words } = COMPLAINTS[version];
      const session = place.start({ options: { env: { [name]: value } } });
      const { message } = await session.next("error");
      expect(message).toContain(words);
      await session.ended(1, 1);
      expect(JSON.stringify(session.bridge.received)).not.toContain("secret-words");
    },
  );

const test = realTests(...MEASURED_VERSIONS);

/** Longer than the limit of one argument on Linux, with blanks at both ends. */
const longPrompt = (word: string) => `${` ${word} `.padEnd(199_990, "ä ")}end ${word}\n `;

test("system prompts of 200,000 characters reach the model whole", async (place) => {
  const [system_prompt = "", append_system_prompt = ""] = ["first", "second"].map(longPrompt);
  const session = place.start({ options: { system_prompt, append_system_prompt } });
  session.say("hello", "Hello.");
  await session.turn("Hello.");
  const system = JSON.stringify(newestBody(place.api).system);
  for (const prompt of [system_prompt, append_system_prompt])
    expect(system).toContain(JSON.stringify(prompt).slice(1, -1));
});

const USAGE = { input_tokens: 10, output_tokens: 1 };
const FALLBACK = { type: "fallback", from: { model: "claude-one" }, to: { model: "claude-other" } };

/** The events of an answer that another model finishes: the simulator has no blocks of that kind. */
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

test("an answer that another model finishes has a model_fallback between its texts", async (place) => {
  const session = place.start();
  const headers = { "content-type": "text/event-stream" };
  session.say("hello", { status: 200, headers, body: answerOfTwoModels() });
  const { messages } = await session.turn("Ended.");
  const emitted = messages.filter(
    ({ msg_id, status }) => msg_id === "msg_two" && status !== "partial",
  );
  expect(emitted).toMatchObject([
    { type: "assistant_text", block_index: 0, text: "Begun." },
    { type: "model_fallback", original_model: "claude-one", fallback_model: "claude-other" },
    { type: "assistant_text", block_index: 2, text: "Ended." },
    { type: "message_complete", stop_reason: "end_turn" },
  ]);
});

const setFlags = (session: RealSession, settings: object) =>
  session.control("apply_flag_settings", { settings });

test("a model that is chosen in a turn is in force in the next turn, and nothing of the turn is lost", async (place) => {
  const session = await place.open({ options: { allowed_tools: ["Bash"] } });
  const expectNext = async (model: string, change: () => Promise<unknown>) => {
    using gate = startGate();
    session.say("begin", callTool("Bash", { command: gate.command }), "Ended.");
    await gate.reached;
    await change();
    gate.open();
    await session.turn("Ended.");
    const { messages } = await session.exchange("and on?", `On with ${model}.`);
    expect(ofType(messages, "system_metadata")).toMatchObject([{ model }]);
  };
  await expectNext(place.expected.haiku, () =>
    session.ask({ type: "model_change", model: "haiku" }),
  );
  expect(session.all("model_changed")).toMatchObject([{ model: "haiku", source: "host" }]);
  // 2.1.38 has no flag settings.
  const model = "claude-opus-4-6";
  if (place.version !== "2.1.38") await expectNext(model, () => setFlags(session, { model }));
  await session.end();

  const resumed = place.start({ session: { mode: "resume", session_id: session.id } });
  resumed.say("what was said?", "That.");
  await resumed.turn("That.");
  const said = conversationSent(place.api);
  expect(said).toContain("assistant: Ended.");
  expect(said).toContain(`assistant: On with ${place.expected.haiku}.`);
});

realTests("2.1.330")(
  "the output of /effort is emitted once, and the next process has the level that was chosen last",
  async (place) => {
    const session = place.start();
    const command = async (text: string, ...script: string[]) => {
      session.say(text, ...script);
      await session.turn();
    };
    const effortAfterKill = async () => {
      await session.kill();
      await command("go on", "Gone on.");
      return newestBody(place.api)["output_config"];
    };
    await command("one", "Said.");
    await command("/effort low");
    await setFlags(session, { effortLevel: "high" });
    await command("/compact", "<summary>All.</summary>");
    expect(userTexts(session.bridge.received, "command_output")).toEqual([
      expect.stringContaining("Set effort level to low"),
      expect.stringContaining("Compacted"),
    ]);
    expect(await effortAfterKill()).toEqual({ effort: "high" });
    await command("/effort medium");
    expect(await effortAfterKill()).toEqual({ effort: "medium" });
    expect(session.all("process_started").at(-1)?.["args"]).toContain("--effort=medium");
    await session.end(3);
  },
);
