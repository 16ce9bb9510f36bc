/** The first list: texts, ends of turns, settings. */
import { expect, test } from "bun:test";
import { type ApiRequest, promptText } from "../../simulator/api-request.ts";
import type { Received } from "../drivers/bridge-process.ts";
import type { Expected } from "./real-expected.ts";
import {
  callTool,
  holdReply,
  isTurnEnd,
  newestMessages,
  ofType,
  type RealSession,
} from "./real-session.ts";

type At = () => RealSession;

/** The smallest image: one pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const BMP = btoa(`BM${"\0".repeat(64)}`);

/** Texts of Claude. */
export function listText(at: At): void {
  test("text and thinking arrive whole, through bytes that cut characters", async () => {
    const { say, turn } = at();
    const thinking = "Überlegen… 思う 🤔";
    const text = "Grüße 👋 漢字 👩‍👧 e\u0301 \u2028 Ende";
    say("hällo 👋", {
      content: [
        { type: "thinking", thinking },
        { type: "text", text },
      ],
      pieceChars: 2,
      wireBytes: 3,
    });

    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", text });
    expect(ofType(messages, "user_text")).toMatchObject([{ kind: "host", text: "hällo 👋" }]);
    expect(spoken(messages, "thinking_text")).toEqual({ joined: thinking, complete: [thinking] });
    expect(spoken(messages, "assistant_text")).toEqual({ joined: text, complete: [text] });
    expect(ofType(messages, "assistant_text").length).toBeGreaterThan(5);
  });
}

function spoken(messages: readonly Received[], type: string) {
  const said = ofType(messages, type);
  const partials = said.filter(({ status }) => status === "partial");
  return {
    joined: partials.map(({ text }) => text).join(""),
    complete: said.filter(({ status }) => status === "complete").map(({ text }) => text),
  };
}

/** Turns that fail or are interrupted, each followed by one that succeeds. */
export function listEndings(at: At, expected: Expected): void {
  listInterrupts(at, expected);
  listRefusal(at, expected);
}

function listInterrupts(at: At, expected: Expected): void {
  test("an interrupt in the text ends the turn as cancelled, and the next turn works", async () => {
    const { place, say, next, send, turn } = at();
    const held = holdReply("begun", " and never ended");
    const message_id = say("tell", held.reply);
    await next(({ text, status }) => text === "begun" && status === "partial");
    const asked = place.api.requests.at(-1);

    const id = send({ type: "interrupt" });
    const result = await next("control_result");
    expect(result).toMatchObject({ subtype: "interrupt", ok: true, in_reply_to: id });
    const { end } = await turn();
    expect(end).toMatchObject({
      result: "cancelled",
      turn_id: result["turn_id"],
      message_ids: [message_id],
      ...expected.interruptedText,
    });
    expect(end["errors"]).toBeUndefined();
    expect(asked?.signal.aborted).toBe(true);
    await expectWorking(at());
  });

  test("an interrupt at a prompt withdraws it and ends the turn as cancelled", async () => {
    const { say, prompt, next, send, turn } = at();
    say("fetch", callTool("Bash", { command: "curl -s http://127.0.0.1:9/" }));
    const { request_id } = await prompt();

    send({ type: "interrupt" });
    expect(await next("control_request_cancel")).toMatchObject({
      request_id,
      reason: "interrupted",
    });
    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "cancelled", ...expected.interruptedPrompt });
    expect(ofType(messages, "control_result")).toMatchObject([{ subtype: "interrupt", ok: true }]);

    const id = send({ type: "tool_approval", request_id, decision: "allow" });
    const late = { code: "stale_request", request_id, in_reply_to: id };
    expect(await next("error")).toMatchObject(late);
    await expectWorking(at());
  });
}

function listRefusal(at: At, expected: Expected): void {
  test("a refusal of the API ends the turn as an error, and the next turn works", async () => {
    const { say, turn } = at();
    let isRefusing = true;
    const reply = { status: 400, message: "not today" };
    say("try", { reply, always: true, when: () => isRefusing });

    const { end } = await turn();
    isRefusing = false;
    expect(end).toMatchObject({ result: "error", is_error: true, text: expected.refusal });
    await expectWorking(at());
  });
}

async function expectWorking({ say, turn }: RealSession): Promise<void> {
  say("still there?", "Still here.");
  expect((await turn()).end).toMatchObject({ result: "success", text: "Still here." });
}

/** Attachments, and messages that are queued. */
export function listMessages(at: At): void {
  listAttachments(at);
  listQueue(at);
}

function listAttachments(at: At): void {
  test("an attached PNG reaches the model as an image", async () => {
    const { place, send, turn } = at();
    place.api.script("A pixel.");
    const attachments = [{ filename: "pixel.png", content: PNG, media_type: "image/png" }];
    send({ type: "user_message", text: "look", attachments });

    expect((await turn()).end).toMatchObject({ result: "success", text: "A pixel." });
    const emitted = newestMessages(place.api);
    expect(emitted).toContain('"type":"image"');
    expect(emitted).toContain('"media_type":"image/png"');
  });

  test.each(["image/bmp", "image/png"])(
    "an attached BMP declared as %s is refused before it reaches Claude",
    async (media_type) => {
      const { place, send, next } = at();
      const asked = place.api.requests.length;
      const message_id = crypto.randomUUID();
      const attachments = [{ filename: "old.bmp", content: BMP, media_type }];
      const id = send({ type: "user_message", text: "look", message_id, attachments });

      const refusal = { code: "attachment_rejected", message_id, in_reply_to: id };
      expect(await next("error")).toMatchObject(refusal);
      expect(await next("message_status")).toMatchObject({ message_id, status: "rejected" });
      expect(place.api.requests.length).toBe(asked);
    },
  );
}

function listQueue(at: At): void {
  test("four messages sent at once in a turn get four turns in order, and a receipt after each", async () => {
    const { bridge, say, next, send, turn } = at();
    const held = holdReply("wait", " for it");
    const texts = ["first", "second", "third", "fourth"];
    const replies = texts.map((text) => ({
      reply: `Answer to ${text}.`,
      when: ({ body }: Pick<ApiRequest, "body">) => promptText(body).includes(text),
    }));
    say("begin", held.reply, ...replies);
    await next(({ text, status }) => text === "wait" && status === "partial");

    const ids = texts.map((text) => {
      const message_id = crypto.randomUUID();
      send({ type: "user_message", text, message_id, delivery: "queue" });
      return message_id;
    });
    for (const message_id of ids)
      expect(await next("message_status")).toMatchObject({ message_id, status: "queued" });
    held.release();
    expect((await turn()).end).toMatchObject({ result: "success", text: "wait for it" });

    for (const [index, message_id] of ids.entries()) {
      const end = await next(isTurnEnd);
      const text = `Answer to ${texts[index]}.`;
      expect(end).toMatchObject({ result: "success", text, message_ids: [message_id] });
      const receipt = await next("message_status");
      expect(receipt).toMatchObject({ message_id, status: "completed", turn_id: end["turn_id"] });
    }
    expect(finalReceipts(bridge.received, ids)).toEqual(ids);
  });
}

function finalReceipts(messages: readonly Received[], ids: readonly string[]): unknown[] {
  return ofType(messages, "message_status")
    .filter(({ status }) => status !== "queued" && status !== "started")
    .map(({ message_id }) => message_id)
    .filter((id) => ids.includes(String(id)));
}

/** Settings, and requests without a model call. */
export function listSettings(at: At, expected: Expected): void {
  test("a change of mode and model is accepted and in force in the next turn", async () => {
    const { bridge, say, next, send, turn } = at();
    const before = ofType(bridge.received, "system_metadata").at(-1);
    expect(before).toMatchObject({ permissionMode: "acceptEdits" });

    const mode = send({ type: "permission_mode", mode: "default" });
    const accepted = { ok: true, subtype: "set_permission_mode", in_reply_to: mode };
    expect(await next("control_result")).toMatchObject(accepted);
    const changed = { mode: "default", source: "host" };
    expect(await next("permission_mode_changed")).toMatchObject(changed);

    const model = send({ type: "model_change", model: "haiku" });
    const taken = { ok: true, subtype: "set_model", in_reply_to: model };
    expect(await next("control_result")).toMatchObject(taken);
    expect(await next("model_changed")).toMatchObject({ model: "haiku", source: "host" });

    say("and you are?", "A haiku.");
    const { messages } = await turn();
    expect(ofType(messages, "system_metadata")).toMatchObject([
      { permissionMode: "default", model: expected.haiku },
    ]);
    expect(ofType(messages, "model_changed")).toEqual([]);
    expect(ofType(messages, "permission_mode_changed")).toEqual([]);
  });

  test("stop_task with an unknown id is answered", async () => {
    const { next, send } = at();
    const id = send({ type: "stop_task", task_id: "b0000000" });
    const { ok, error } = expected.bogusTask;
    const result = await next("control_result");
    expect(result).toMatchObject({ subtype: "stop_task", in_reply_to: id, ok });
    if (error === undefined) expect(result["error"]).toBeUndefined();
    else expect(result["error"]).toMatch(error);
  });

  test("the output of a slash command arrives as command_output without a model call", async () => {
    const { place, say, turn } = at();
    const asked = place.api.requests.length;
    say("/cost");

    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success" });
    const said = ofType(messages, "user_text").filter(({ kind }) => kind === "command_output");
    expect(said).toHaveLength(1);
    expect(said[0]?.["text"]).toMatch(expected.cost);
    expect(ofType(messages, "assistant_text")).toEqual([]);
    expect(place.api.requests.length).toBe(asked);
  });
}
