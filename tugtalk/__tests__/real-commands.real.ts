/** Slash commands, limits and output formats with every measured version of the CLI. */
import { expect } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { isRunning } from "../src/base/processes.ts";
import type { Received } from "../testing/drivers/bridge-process.ts";
import { callTool } from "../testing/real/real-replies.ts";
import { allMessages, mainRequests, newestMessages } from "../testing/real/real-requests.ts";
import { ofType, type RealPlace, userTexts } from "../testing/real/real-session.ts";
import { inOneSession, realTests } from "../testing/real/real-tests.ts";

/** How long an idle bridge may take to end on a busy machine, and when it would use force, in ms. */
const IDLE_END_MS = 10_000;
const GRACE_MS = 30_000;

async function writeCommand({ home }: RealPlace): Promise<void> {
  const folder = join(home.project, ".claude", "commands");
  await mkdir(folder, { recursive: true });
  const text = "---\ndescription: Greets somebody\n---\nGreet $ARGUMENTS warmly.\n";
  await writeFile(join(folder, "greet.md"), text);
}

const lastCost = (messages: readonly Received[]) =>
  ofType(messages, "cost_update").at(-1)?.["total_cost_usd"];

inOneSession(
  MEASURED_VERSIONS,
  async (place) => {
    await writeCommand(place);
    return place.open({ options: { shutdown_grace_ms: GRACE_MS } });
  },
  (test, version) => {
    test("a custom slash command is offered, and reaches the model as the text of its file", async (session) => {
      const { commands } = await session.next("session_capabilities");
      expect(JSON.stringify(commands)).toContain('"name":"greet"');
      const text = "/greet the heron";
      const message_id = session.say(text, "Good morning!");
      const { messages } = await session.turn("Good morning!");
      expect(newestMessages(session.place.api)).toContain("Greet the heron warmly.");
      const said = ofType(messages, "user_text").filter(({ kind }) => kind === "host");
      expect(said).toMatchObject([{ text, message_id }]);
      expect(session.all("system_metadata")[0]?.["slash_commands"]).toContain("greet");
    });

    test("/context prints the use of the context without a model call", async (session) => {
      const { api } = session.place;
      const asked = mainRequests(api).length;
      session.say("/context");
      const { messages } = await session.turn();
      expect(userTexts(messages, "command_output")).toEqual([
        expect.stringContaining("## Context Usage"),
      ]);
      expect(ofType(messages, "assistant_text")).toEqual([]);
      expect(mainRequests(api)).toHaveLength(asked);
    });

    test("/compact replaces the conversation by a summary that the next turn has", async (session) => {
      const { api, expected } = session.place;
      // 2.1.197 compacts nothing shorter.
      for (const text of ["a heron at the weir", "an otter at the mill"])
        await session.exchange(text, "Seen.");
      const summary = "Somebody saw an animal.";
      session.say("/compact", `<summary>${summary}</summary>`);
      const { end, messages } = await session.turn();
      const states = ofType(messages, "session_state").map(({ state }) => state);
      const busy = states.filter((state) => state !== "idle");
      expect(busy).toEqual(["running", "compacting", "running"]);
      const boundaries = ofType(messages, "compact_boundary");
      expect(boundaries).toMatchObject([{ trigger: "manual", turn_id: end["turn_id"] }]);
      const tokens = Object.keys(boundaries[0] ?? {}).filter((name) => name.endsWith("_tokens"));
      expect(tokens).toEqual([...expected.compactionTokens]);
      const contains = (text: string) => [expect.stringContaining(text)];
      expect(userTexts(messages, "compact_summary")).toEqual(contains(summary));
      expect(userTexts(messages, "command_output")).toEqual(contains("Compacted"));

      await session.exchange("which animal?", "I forgot.");
      expect(allMessages(api)).toContain(summary);
      expect(allMessages(api)).not.toContain("Good morning!");
    });

    if (version === "2.1.38")
      test("/clear is an unknown command and changes nothing", async (session) => {
        session.say("/clear");
        const { messages } = await session.turn();
        expect(userTexts(messages, "command_output")).toEqual(["Unknown skill: clear"]);
        expect(ofType(messages, "session_init")).toEqual([]);
        await session.exchange("still known?", "Still known.");
        expect(allMessages(session.place.api)).toContain("I forgot.");
      });
    else
      test("/clear starts an empty conversation with another id", async (session) => {
        const { id: previous_session_id, place } = session;
        const clear =
          version === "2.1.197"
            ? { output: ["(no content)"], resets: 0, cost: lastCost(session.bridge.received) }
            : { output: [], resets: 1, cost: 0 };
        session.say("/clear");
        const { messages } = await session.turn();
        expect(userTexts(messages, "command_output")).toEqual(clear.output);
        expect(ofType(messages, "conversation_reset")).toHaveLength(clear.resets);
        const inits = ofType(messages, "session_init");
        expect(inits).toMatchObject([{ mode: "clear", previous_session_id }]);
        const session_id = inits[0]?.["session_id"];
        expect(session_id).not.toBe(previous_session_id);
        expect(lastCost(messages)).toBe(clear.cost);

        const after = await session.exchange("what was it?", "Nothing was.");
        expect(allMessages(place.api)).not.toContain("Somebody saw an animal.");
        expect(ofType(after.messages, "system_metadata")).toMatchObject([{ session_id }]);
        const [cost] = ofType(after.messages, "cost_update");
        expect(cost?.["turn_cost_usd"]).toBeGreaterThan(0);
        if (clear.cost === 0) expect(cost?.["turn_cost_usd"]).toBe(cost?.["total_cost_usd"]);
      });

    // After a tool of the shell, 2.1.38 takes longer where the machine is busy.
    test("closing stdin while nothing runs ends both processes at once", async (session) => {
      const { processes, bridge } = session;
      expect(processes.filter(isRunning)).toHaveLength(1);
      const closedAt = performance.now();
      bridge.closeInput();
      await bridge.exited;
      expect(performance.now() - closedAt).toBeLessThan(IDLE_END_MS);
      await session.ended();
      expect(session.all("process_exit")).toMatchObject([{ pid: processes[0], expected: true }]);
    });
  },
);

const test = realTests(...MEASURED_VERSIONS);

test("a turn with too many model calls ends as error_max_turns, and the next turn works", async (place) => {
  const session = place.start({ options: { max_turns: 2, allowed_tools: ["Bash"] } });
  session.say("count", ...["1", "2"].map((word) => callTool("Bash", { command: `echo ${word}` })));
  const { messages } = await session.turn({
    result: "error",
    subtype: "error_max_turns",
    ...place.expected.tooManyTurns,
  });
  expect(ofType(messages, "tool_result").map(({ output }) => output)).toEqual(["1", "2"]);
  session.say("still there?", "Still here.");
  await session.turn("Still here.");
});

test("an answer in the format of the host arrives as structured_output", async (place) => {
  const properties = { bird: { type: "string" } };
  const json_schema = { type: "object", properties, required: ["bird"] };
  const session = place.start({ options: { json_schema } });
  const { structuredText: text } = place.expected;
  session.say("which?", callTool("StructuredOutput", { bird: "heron" }), {
    reply: "A heron.",
    when: () => text === "A heron.",
  });
  await session.turn({ result: "success", structured_output: { bird: "heron" }, text });
});
