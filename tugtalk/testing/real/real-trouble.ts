/** The second list: API errors and steering. */
import { expect, test } from "bun:test";
import type { Received } from "../drivers/bridge-process.ts";
import type { Expected } from "./real-expected.ts";
import { startGate, THROUGH } from "./real-gate.ts";
import {
  callTool,
  holdReply,
  isTurnEnd,
  newestMessages,
  ofType,
  type RealSession,
} from "./real-session.ts";

type At = () => RealSession;

/** An API that fails once. */
export function listTrouble(at: At, { retries, streamsAgain }: Expected): void {
  test("a request to a busy API is repeated, and the turn succeeds", async () => {
    const { place, say, turn } = at();
    const asked = place.api.requests.length;
    say("are you there?", { status: 529, message: "busy" }, "Here.");
    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", is_error: false, text: "Here." });
    const { turn_id } = end;
    expect(ofType(messages, "api_retry")).toMatchObject(
      retries.overloaded.map((retry) => ({ ...retry, turn_id })),
    );
    const mains = place.api.requests.slice(asked).filter(({ kind }) => kind === "main");
    expect(mains).toHaveLength(2);
  });

  test("the block of a cut stream is abandoned, and the whole answer follows", async () => {
    const { say, next, turn } = at();
    const text = "The whole answer.";
    const read = Promise.withResolvers<void>();
    const broken = {
      content: [
        { type: "text" as const, text: "Half an answer.", pieces: ["Half ", "an answer."] },
      ],
      // What Claude has not read before a connection is reset is lost, and it asks again in another way.
      holds: [{ at: { afterDeltas: 1 }, until: read.promise }],
      cut: { at: { afterDeltas: 1 }, as: "abort" as const },
    };
    say("tell", broken, text);
    await next(({ type, text: piece }) => type === "assistant_text" && piece === "Half ");
    read.resolve();
    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", is_error: false, text });
    expect(ofType(messages, "api_retry")).toMatchObject([...retries.cut]);
    const [cut, ...others] = blocksOf(messages);
    expect(cut).toEqual([["partial", "Half "], ["abandoned"]]);
    const whole = ["complete", text];
    expect(others).toEqual([streamsAgain ? [["partial", text], whole] : [whole]]);
  });
}

/** The emitted texts, by message. */
function blocksOf(messages: readonly Received[]): unknown[][] {
  const texts = ofType(messages, "assistant_text");
  const ids = [...new Set(texts.map(({ msg_id }) => msg_id))];
  return ids.map((id) =>
    texts
      .filter(({ msg_id }) => msg_id === id)
      .map(({ status, text }) => (text === undefined ? [status] : [status, text])),
  );
}

/** Steered messages. */
export function listSteering(at: At, { steeredTurns }: Expected): void {
  test("a message steered while a tool runs is taken into the turn after the tool", async () => {
    using gate = startGate();
    const { place, say, next, turn } = at();
    const first = say("wait", callTool("mcp__tide__wait", { url: gate.url }), "Taken in.");
    await gate.reached;
    const [second = ""] = await steer(at(), "also look for otters");
    gate.open();

    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", text: "Taken in." });
    expect(end["message_ids"]).toEqual([first, second]);
    expect(ofType(messages, "tool_result")).toMatchObject([{ output: THROUGH }]);
    expect(newestMessages(place.api)).toContain("also look for otters");
    const { turn_id } = end;
    const said = ofType(messages, "user_text").filter(({ message_id }) => message_id === second);
    expect(said).toMatchObject([{ kind: "host", text: "also look for otters", turn_id }]);
    const receipt = { turn_id, status: "completed" };
    expect(await next("message_status")).toMatchObject({ ...receipt, message_id: first });
    const merged = { ...receipt, message_id: second, merged: true };
    expect(await next("message_status")).toMatchObject(merged);
  });

  test("messages steered into a text get turns after it, and a receipt each", async () => {
    const { bridge, say, next, turn } = at();
    const held = holdReply("begun", " and ended");
    const answers = steeredTurns === 1 ? ["To both."] : ["To one.", "To the other."];
    const first = say("tell", held.reply, ...answers);
    await next(({ text, status }) => text === "begun" && status === "partial");
    const steered = await steer(at(), "more of it", "less of it");
    held.release();

    const { end, messages } = await turn();
    expect(end).toMatchObject({ text: "begun and ended", message_ids: [first] });
    for (const [index, text] of answers.entries()) {
      const message_ids = steeredTurns === 1 ? steered : steered.slice(index, index + 1);
      expect(await next(isTurnEnd)).toMatchObject({ result: "success", text, message_ids });
    }
    // The last turn's receipts follow its end.
    await next(({ type, state }) => type === "session_state" && state === "idle");
    const since = bridge.received.slice(bridge.received.indexOf(messages[0] ?? end));
    const receipts = ofType(since, "message_status").filter(({ status }) => status === "completed");
    expect(receipts.map(({ message_id }) => message_id)).toEqual([first, ...steered]);
    const merged = receipts.filter((receipt) => receipt["merged"] === true);
    expect(merged).toHaveLength(2 - steeredTurns);
  });
}

/** Steers messages into a turn; resolves when Claude has read them. */
async function steer({ send, next }: RealSession, ...texts: string[]): Promise<string[]> {
  const ids = texts.map((text) => {
    const message_id = crypto.randomUUID();
    send({ type: "user_message", text, message_id, delivery: "steer" });
    return message_id;
  });
  // Claude reads in order: the answer to a later line shows that it has the earlier ones.
  const id = send({ type: "permission_mode", mode: "default" });
  await next(({ type, in_reply_to }) => type === "control_result" && in_reply_to === id);
  return ids;
}
