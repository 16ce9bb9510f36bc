/** Bridges with messages that no bridge of ours sends: those on places are programs of other machines. */
import { expect, test } from "bun:test";
import { turnStarted } from "./support/bridge-words.ts";
import type { Draft } from "./support/fake-bridge.ts";
import {
  entriesOf,
  openSession,
  reducedOf,
  SessionHarness,
  typesOf,
} from "./support/session-harness.ts";

const STRANGE: readonly Draft[] = [
  { type: "control_request_forward", tool_name: "Bash", input: {} },
  { type: "elicitation_request", request_id: 7 },
  { type: "dialog_request" },
  { type: "approval-resolved", requestId: "r1", decision: "allow" },
  { type: "session_deleted", id: "s1" },
  { type: "error\nid: 1.9\nevent: session_deleted", message: "No" },
  { type: "snapshot", state: { entries: null } },
  { type: "turn_complete", turn_id: 7, message_ids: "none" },
  { type: "message_status", message_id: null },
  { type: "rate_limit", rate_limit_info: { status: "rejected", resetsAt: "soon" } },
  { type: "turn_complete", is_error: true, api_error_status: 429 },
  { type: "turn_started" },
];

test.each(STRANGE)(
  "%p opens no prompt, is no event of the host, and ends neither",
  async (said) => {
    const { harness, session } = await openSession();
    await harness.say(said, turnStarted());
    expect(await session.prompts()).toEqual([]);
    expect((await reducedOf(session)).openEntries).toMatchObject([{ kind: "turn", turnId: "t1" }]);
    const types = typesOf(await entriesOf(session));
    expect(types.filter((type) => /[^\w-]|^session-deleted$|^approval-/.test(type))).toEqual([]);
  },
);

test("a bridge whose past conversation is none is ended with the session that was to continue it", async () => {
  const harness = await SessionHarness.open();
  harness.prepare = (bridge) =>
    void bridge.answers.set("session_history", (usual) => ({ ...usual, messages: null }));
  const created = harness.sessions.create({ dir: "/work", place: "box", resume: "c1" });
  expect(await created.catch((error: unknown) => error)).toBeInstanceOf(Error);
  expect(harness.bridge.isEnded).toBe(true);
  expect(harness.sessions.list()).toEqual([]);
  await harness.say(turnStarted());
});
