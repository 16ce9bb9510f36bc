/** The second list: slash commands. */
import { expect, test } from "bun:test";
import type { Received } from "../drivers/bridge-process.ts";
import type { Expected } from "./real-expected.ts";
import { allMessages, newestMessages, ofType, type RealSession } from "./real-session.ts";

type At = () => RealSession;

/** Commands that leave the conversation as it is. */
export function listCommands(at: At): void {
  test("a custom slash command is offered, and reaches the model as the text of its file", async () => {
    const { place, bridge, say, next, turn } = at();
    const offered = JSON.stringify((await next("session_capabilities"))["commands"]);
    expect(offered).toContain('"name":"greet"');

    const message_id = say("/greet the heron", "Good morning!");
    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", text: "Good morning!" });
    expect(newestMessages(place.api)).toContain("Greet the heron warmly.");
    expect(ofType(messages, "user_text").filter(({ kind }) => kind === "host")).toMatchObject([
      { text: "/greet the heron", message_id },
    ]);
    const [init] = ofType(bridge.received, "system_metadata");
    expect(init?.["slash_commands"]).toContain("greet");
  });

  test("/context prints the use of the context without a model call", async () => {
    const { place, say, turn } = at();
    const asked = mainRequests(place.api);
    say("/context");
    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success" });
    expect(outputs(messages)).toEqual([expect.stringContaining("## Context Usage")]);
    expect(ofType(messages, "assistant_text")).toEqual([]);
    expect(mainRequests(place.api)).toBe(asked);
  });
}

/** A long conversation is replaced by its summary. */
export function listCompaction(at: At, expected: Expected): void {
  test("/compact replaces the conversation by a summary that the next turn has", async () => {
    const { place, say, turn } = at();
    say("an otter at the mill", "Seen.");
    await turn();
    say("/compact", "<summary>Somebody saw an animal.</summary>");

    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success" });
    const states = ofType(messages, "session_state").map(({ state }) => state);
    expect(states.filter((state) => state !== "idle")).toEqual([
      "running",
      "compacting",
      "running",
    ]);
    const [boundary, ...others] = ofType(messages, "compact_boundary");
    expect(others).toEqual([]);
    expect(boundary).toMatchObject({ trigger: "manual", turn_id: end["turn_id"] });
    const tokens = Object.keys(boundary ?? {}).filter((name) => name.endsWith("_tokens"));
    expect(tokens).toEqual([...expected.compactionTokens]);
    const said = ofType(messages, "user_text").filter(({ kind }) => kind === "compact_summary");
    expect(said.map(({ text }) => text)).toEqual([
      expect.stringContaining("Somebody saw an animal."),
    ]);
    expect(outputs(messages)).toEqual([expect.stringContaining("Compacted")]);

    say("which animal?", "I forgot.");
    expect((await turn()).end).toMatchObject({ result: "success", text: "I forgot." });
    expect(allMessages(place.api)).toContain("Somebody saw an animal.");
    expect(allMessages(place.api)).not.toContain("Good morning!");
  });
}

/** `/clear` starts a new conversation. */
export function listClear(at: At, { clear }: Expected): void {
  if (clear === undefined) {
    test("/clear is an unknown command and changes nothing", async () => {
      const { place, say, turn } = at();
      say("/clear");
      const { end, messages } = await turn();
      expect(end).toMatchObject({ result: "success" });
      expect(outputs(messages)).toEqual(["Unknown skill: clear"]);
      expect(ofType(messages, "session_init")).toEqual([]);

      say("still known?", "Still known.");
      expect((await turn()).end).toMatchObject({ result: "success", text: "Still known." });
      expect(allMessages(place.api)).toContain("I forgot.");
    });
    return;
  }

  test("/clear starts an empty conversation with another id", async () => {
    const { place, bridge, say, turn } = at();
    const previous_session_id = ofType(bridge.received, "session_init").at(-1)?.["session_id"];
    const spent = lastCost(bridge.received);
    say("/clear");
    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success" });
    expect(outputs(messages)).toEqual([...clear.output]);
    expect(ofType(messages, "conversation_reset")).toHaveLength(clear.resets);
    const inits = ofType(messages, "session_init");
    expect(inits).toMatchObject([{ mode: "clear", previous_session_id }]);
    const session_id = inits[0]?.["session_id"];
    expect(session_id).not.toBe(previous_session_id);
    expect(lastCost(messages)).toBe(clear.restartsCost ? 0 : spent);

    say("what was it?", "Nothing was.");
    const after = await turn();
    expect(after.end).toMatchObject({ result: "success", text: "Nothing was." });
    expect(allMessages(place.api)).not.toContain("Somebody saw an animal.");
    expect(ofType(after.messages, "system_metadata")).toMatchObject([{ session_id }]);
    const [cost] = ofType(after.messages, "cost_update");
    expect(cost?.["turn_cost_usd"]).toBeGreaterThan(0);
    if (clear.restartsCost) expect(cost?.["turn_cost_usd"]).toBe(cost?.["total_cost_usd"]);
  });
}

function outputs(messages: readonly Received[]): unknown[] {
  return ofType(messages, "user_text")
    .filter(({ kind }) => kind === "command_output")
    .map(({ text }) => text);
}

function lastCost(messages: readonly Received[]): unknown {
  return ofType(messages, "cost_update").at(-1)?.["total_cost_usd"];
}

function mainRequests({ requests }: RealSession["place"]["api"]): number {
  return requests.filter(({ kind }) => kind === "main").length;
}
