/** Tools of the host with every measured version of the CLI. */
import { expect } from "bun:test";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import type { Fields } from "../src/base/json.ts";
import type { Received } from "../testing/drivers/bridge-process.ts";
import { mcpServer } from "../testing/real/mcp-server.ts";
import { agentInput, as, callTool } from "../testing/real/real-replies.ts";
import { newestMessages } from "../testing/real/real-requests.ts";
import { ofType, type RealPlace } from "../testing/real/real-session.ts";
import { inOneSession, realTests } from "../testing/real/real-tests.ts";

const LEVEL = {
  name: "level",
  description: "The level of the water.",
  input_schema: { type: "object", properties: { place: { type: "string" } } },
  permission: "allow",
};

const LEVEL_CALL = {
  content: [{ type: "tool_use" as const, name: "mcp__host__level", input: { place: "the weir" } }],
};

/** One of each kind from the start on, since a permission counts from a start of Claude on. */
const TOOLS = [
  LEVEL,
  { ...LEVEL, name: "asked", permission: "ask" },
  { ...LEVEL, name: "gauge", annotations: { readOnlyHint: true } },
  { ...LEVEL, name: "slow", timeout_ms: 50 },
];

const start = (place: RealPlace) =>
  place.open({ options: { host_tools: TOOLS, allowed_tools: ["Task", "Agent"] } });

function answer(
  { request_id }: Received,
  fields: Fields = { text: "High." },
): Fields & { type: string } {
  return { type: "host_tool_answer", request_id, ...fields };
}

const resolved = { type: "control_request_resolved", outcome: "answered" };

inOneSession(MEASURED_VERSIONS, start, (test, version) => {
  test("a tool of the host is called with its input, and the model gets the answer", async (session) => {
    session.say("how high is it?", LEVEL_CALL, "It is high.");
    const call = await session.next("host_tool_request", {
      tool_name: "level",
      input: { place: "the weir" },
      turn_id: expect.any(String),
      tool_use_id: expect.any(String),
    });
    const { request_id } = call;
    await session.ask(answer(call), { ...resolved, request_id });
    const { messages } = await session.turn("It is high.");
    expect(ofType(messages, "tool_result")).toMatchObject([
      { tool_name: "mcp__host__level", tool_use_id: call["tool_use_id"], output: "High." },
    ]);
    expect(newestMessages(session.place.api)).toContain("High.");
    expect(ofType(messages, "control_request_forward")).toEqual([]);
  });

  test("a tool that asks has a prompt first, and a failure is an error for the model", async (session) => {
    session.say("how high is it?", callTool("mcp__host__asked", {}), "Unknown.");
    session.allow(await session.prompt({ tool_name: "mcp__host__asked" }));
    const call = await session.next("host_tool_request");
    await session.ask(answer(call, { text: "no gauge", is_error: true }), resolved);
    const { messages } = await session.turn("Unknown.");
    expect(ofType(messages, "tool_result")).toMatchObject([{ output: "no gauge", is_error: true }]);
  });

  test("calls of a tool that only reads are open at once, and answered in any order", async (session) => {
    const content = ["one", "two"].map((place) => ({
      type: "tool_use" as const,
      name: "mcp__host__gauge",
      input: { place },
    }));
    session.say("how high are they?", { content }, "Both known.");
    const calls = [
      await session.next("host_tool_request"),
      await session.next("host_tool_request"),
    ];
    for (const call of calls.toReversed())
      await session.ask(answer(call, { text: `known ${JSON.stringify(call["input"])}` }), resolved);
    const { messages } = await session.turn("Both known.");
    const outputs = ofType(messages, "tool_result").map(({ output }) => String(output));
    expect(outputs.toSorted()).toEqual(['known {"place":"one"}', 'known {"place":"two"}']);
  });

  test("two hundred calls of one message get each its own answer", async (session) => {
    const content = Array.from({ length: 200 }, (_, at) => ({
      type: "tool_use" as const,
      name: "mcp__host__gauge",
      input: { place: `gauge ${at}` },
    }));
    session.say("how high are they?", { content }, "All known.");
    for (const _ of content) {
      const call = await session.next("host_tool_request");
      session.send(answer(call, { text: JSON.stringify(call["input"]) }));
    }
    const { messages } = await session.turn("All known.");
    const outputs = ofType(messages, "tool_result").map(({ output }) => String(output));
    expect(new Set(outputs)).toEqual(new Set(content.map(({ input }) => JSON.stringify(input))));
  });

  test("an interrupt cancels an open call, and a late answer is stale", async (session) => {
    session.say("how high is it?", LEVEL_CALL);
    const call = await session.next("host_tool_request");
    const { request_id } = call;
    session.send({ type: "interrupt" });
    await session.next("control_request_cancel", { request_id, reason: "interrupted" });
    await session.turn({ result: "cancelled" });
    await session.ask(answer(call), { type: "error", code: "stale_request", request_id });
    await session.exchange("and now?", "Again.");
  });

  test("a call that is not answered in time fails, and the turn goes on", async (session) => {
    session.say("how high is it?", callTool("mcp__host__slow", {}), "Unknown.");
    const { request_id } = await session.next("host_tool_request");
    await session.next("control_request_cancel", { request_id, reason: "timeout" });
    const { messages } = await session.turn("Unknown.");
    expect(ofType(messages, "tool_result")).toMatchObject([
      { is_error: true, output: "The tool did not answer within 50 ms." },
    ]);
  });

  test("a server of the user's own that has the name of the host's is refused", async (session) => {
    const servers = { host: { command: "x" } };
    await session.ask(
      { type: "control", subtype: "mcp_set_servers", servers },
      { ok: false, error: expect.stringContaining("host") },
    );
  });

  test("tools of the host stay where the host sets other servers", async (session) => {
    await session.control("mcp_set_servers", { servers: {} });
    session.say("how high is it?", LEVEL_CALL, "It is high.");
    await session.ask(answer(await session.next("host_tool_request")), resolved);
    await session.turn("It is high.");
  });

  test("a call stays open while the host sets another server, and its answer reaches the model", async (session) => {
    session.say("how high is it?", LEVEL_CALL, "It is high.");
    const call = await session.next("host_tool_request");
    await session.control("mcp_set_servers", { servers: { tide: mcpServer() } });
    await session.ask(answer(call), resolved);
    await session.turn("It is high.");
    expect(newestMessages(session.place.api)).toContain("High.");
  });

  // 2.1.38 begins no turn about an agent that has ended.
  if (version !== "2.1.38")
    test("a background agent calls a tool after its turn has ended", async (session) => {
      const { promise: until, resolve: release } = Promise.withResolvers<void>();
      const input = agentInput("measure it", { run_in_background: true });
      session.place.api.script(
        as("measure it", { ...LEVEL_CALL, holds: [{ until }] }),
        as("measure it", "Measured."),
      );
      session.say("send one", callTool("Task", input), "Sent.", "All done.");
      await session.turn("Sent.");
      release();
      const call = await session.next("host_tool_request", { tool_name: "level" });
      expect(call).not.toHaveProperty("turn_id");
      expect(call["parent_tool_use_id"]).toEqual(expect.any(String));
      await session.ask(answer(call), resolved);
      await session.turn("All done.");
    });

  test("an answer of 10 MiB is taken, and no second one; garbage and a longer one are not, and leave the call open", async (session) => {
    session.say("how high is it?", LEVEL_CALL, "Very.");
    const call = await session.next("host_tool_request");
    const { request_id } = call;
    const most = 10 * 1024 * 1024 - 2;
    const tooLong = answer(call, { text: "x".repeat(most + 1) });
    const bad = { type: "error", code: "bad_message", request_id };
    await session.ask(tooLong, bad);
    await session.ask(answer(call, { content: [{ type: "audio" }] }), bad);
    await session.ask({ type: "hook_answer", request_id }, bad);
    await session.ask(answer(call, { text: "x".repeat(most) }), resolved);
    await session.ask(answer(call), { type: "error", code: "stale_request", request_id });
    const { messages } = await session.turn("Very.");
    expect(ofType(messages, "tool_result")).toMatchObject([{ is_error: false }]);
  });

  test("tools stay with the session through another conversation", async (session) => {
    await session.command("new");
    session.say("how high is it?", LEVEL_CALL, "It is high.");
    await session.ask(answer(await session.next("host_tool_request")), resolved);
    await session.turn("It is high.");
  });

  // 2.1.38 does not know the command.
  if (version !== "2.1.38")
    test("tools stay with Claude when /clear begins another conversation", async (session) => {
      session.say("/clear");
      await session.next("session_init", { mode: "clear" });
      await session.turn();
      session.say("how high is it?", LEVEL_CALL, "It is high.");
      await session.ask(answer(await session.next("host_tool_request")), resolved);
      await session.turn("It is high.");
    });

  test("a call that a killed Claude has made is cancelled before its exit, and not made again", async (session) => {
    const before = session.all("host_tool_request").length;
    await session.exchange("hello", "Hello.");
    session.say("how high is it?", LEVEL_CALL);
    const call = await session.next("host_tool_request");
    const { request_id } = call;
    const messages = await session.kill();
    expect(ofType(messages, "control_request_cancel")).toMatchObject([
      { request_id, reason: "exited" },
    ]);
    await session.ask(answer(call), { type: "error", code: "stale_request" });
    session.say("how high is it now?", LEVEL_CALL, "High again.");
    const again = await session.next("host_tool_request");
    await session.ask(answer(again), resolved);
    await session.turn("High again.");
    expect(session.all("host_tool_request")).toHaveLength(before + 2);
  });

  test("tools are replaced between two calls of one message, and both are answered", async (session) => {
    const content = [...LEVEL_CALL.content, ...LEVEL_CALL.content];
    session.say("how high is it, twice?", { content }, "High, twice.");
    for (const name of ["tide", "rain"]) {
      const call = await session.next("host_tool_request");
      await session.ask({ type: "host_tools", tools: [LEVEL, { ...LEVEL, name }] });
      await session.ask(answer(call), resolved);
    }
    const { messages } = await session.turn("High, twice.");
    expect(ofType(messages, "tool_result").map(({ output }) => output)).toEqual(["High.", "High."]);
  });

  test("tools are replaced while a call is open, which is answered as before", async (session) => {
    session.say("how high is it?", LEVEL_CALL, "It is high.");
    const call = await session.next("host_tool_request");
    await session.ask({
      type: "host_tools",
      tools: [{ ...LEVEL, name: "tide", permission: "ask" }],
    });
    await session.ask(answer(call), resolved);
    await session.turn("It is high.");
    // The answer to a later request shows that Claude has read the list.
    await session.control("mcp_status");
    session.say("how is the tide?", callTool("mcp__host__tide", {}), "It ebbs.");
    session.allow(await session.prompt({ tool_name: "mcp__host__tide" }));
    await session.ask(
      answer(await session.next("host_tool_request", { tool_name: "tide" })),
      resolved,
    );
    await session.turn("It ebbs.");
  });

  test("tools are replaced between turns", async (session) => {
    const wind = { ...LEVEL, name: "wind", permission: "ask" };
    await session.ask({ type: "host_tools", tools: [wind] });
    await session.ask({ type: "permission_mode", mode: "default" });
    session.say("how is the wind?", callTool("mcp__host__wind", {}), "It blows.");
    session.allow(await session.prompt({ tool_name: "mcp__host__wind" }));
    const call = await session.next("host_tool_request", { tool_name: "wind" });
    await session.ask(answer(call, { text: "West." }), resolved);
    await session.turn("It blows.");
  });

  test("an open call is given up at the end of the host's input, and Claude ends by itself", async (session) => {
    await session.ask({ type: "host_tools", tools: TOOLS });
    // The answer to a later request shows that Claude has read the list.
    await session.control("mcp_status");
    session.say("how high is it?", LEVEL_CALL, "Unknown.");
    const { request_id } = await session.next("host_tool_request");
    const before = session.all("control_request_cancel").length;
    await session.end(3);
    expect(session.all("control_request_cancel").slice(before)).toMatchObject([
      { request_id, reason: "interrupted" },
    ]);
  });
});

realTests(...MEASURED_VERSIONS)(
  "of a server in Claude's own settings with the name of the host's, only 2.1.38 calls a tool of the same name",
  async (place) => {
    const file = Bun.file(join(place.home.configDir, ".claude.json"));
    await file.write(JSON.stringify({ ...(await file.json()), mcpServers: { host: mcpServer() } }));
    const session = await start(place);
    session.say("how high is it?", LEVEL_CALL, "It is high.");
    const isTaken = place.version === "2.1.38";
    if (!isTaken) await session.ask(answer(await session.next("host_tool_request")), resolved);
    await session.turn("It is high.");
    expect(newestMessages(place.api)).toContain(isTaken ? "high at the weir" : "High.");
  },
);
