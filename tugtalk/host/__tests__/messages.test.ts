/** Messages, the queue and interrupts, over real sockets. */
import { afterAll, expect, test } from "bun:test";
import { HELD } from "../../testing/drivers/bridge-states.ts";
import type { EventReader, Fields, SentEvent } from "../../testing/drivers/host-clients.ts";
import { askingTurn, dyingTurn, exit } from "../../testing/drivers/host-conversations.ts";
import { endHosts, startHost, type TestHostSession } from "../../testing/drivers/host-process.ts";

const host = await startHost();
afterAll(endHosts);

/** The texts of the user messages that Claude has read. */
function heardTexts(session: TestHostSession): unknown[] {
  const messages = session.claudeInput.filter(({ type }) => type === "user");
  return messages.map(({ message }) => Object(message).content[0].text);
}

type Busy = { readonly session: TestHostSession; readonly events: EventReader };

/** A session in the middle of a turn that only an interrupt ends. */
async function busy(...after: readonly object[]): Promise<Busy> {
  const session = await host.createSession({ conversation: [...HELD, ...after] });
  const events = await session.events();
  await session.message("first");
  await events.next(({ data }) => data["status"] === "partial");
  return { session, events };
}

const isTurnEnd = ({ type }: SentEvent) => type === "turn_complete" || type === "turn_cancelled";

const isOf =
  (type: string, messageId: unknown) =>
  (event: SentEvent): boolean =>
    event.type === type && event.data["message_id"] === messageId;

const queueOf = async (session: TestHostSession) => (await session.run("queue")).body["queue"];

test("a message to an idle session is sent, announced, and on Claude's stdin as it was written", async () => {
  const session = await host.createSession();
  const events = await session.events();
  const { status, body } = await session.message("Hello, “wörld” \n twice");
  expect({ status, body }).toEqual({
    status: 200,
    body: { status: "sent", message_id: expect.any(String) },
  });
  await events.next(isOf("message_sent", body["message_id"]));
  await session.claudeHears(({ uuid }) => uuid === body["message_id"]);
  expect(heardTexts(session)).toEqual(["Hello, “wörld” \n twice"]);
  await events.next("turn_complete");
});

test("images go to Claude as blocks after the text", async () => {
  const session = await host.createSession();
  const content =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";
  const attachments = [{ filename: "dot.png", media_type: "image/png", content }];
  expect((await session.message("See", { attachments })).status).toBe(200);
  const line = await session.claudeHears(({ type }) => type === "user");
  expect(line).toMatchObject({
    message: {
      content: [
        { type: "text", text: "See" },
        { type: "image", source: { media_type: "image/png", data: content } },
      ],
    },
  });
});

test.each([
  ["a PDF", { media_type: "application/pdf", content: "JVBERi0=" }],
  ["an image that is none", { media_type: "image/png", content: "bm8gaW1hZ2U=" }],
  ["content that is not base64", { media_type: "image/png", content: "?" }],
  ["an empty text", { media_type: "text/plain", content: " " }],
])(
  "%s as an attachment is refused with 400 and its name, whether the message could go at once or would wait",
  async (_, attachment) => {
    const session = await host.createSession({ conversation: askingTurn({ id: "p" }) });
    const attachments = [{ filename: "a.file", ...attachment }];
    const refused = {
      status: 400,
      body: { code: "attachment_rejected", error: expect.stringContaining("a.file") },
    };
    expect(await session.message("See", { attachments })).toMatchObject(refused);
    const events = await session.events();
    await session.message("go");
    await events.next("control_request_forward");
    expect(await session.message("See", { attachments })).toMatchObject(refused);
    expect((await session.run("queue")).body).toEqual({ queue: [] });
  },
);

test("messages to a busy session wait in order with their positions, and are announced", async () => {
  const { session, events } = await busy();
  for (const [text, position] of [
    ["second", 1],
    ["third", 2],
  ] as const) {
    const { status, body } = await session.message(text);
    const message_id = String(body["message_id"]);
    expect({ status, body }).toEqual({
      status: 202,
      body: { status: "queued", message_id, position },
    });
    const { data } = await events.next(isOf("message_queued", message_id));
    expect(data).toMatchObject({ message: text });
  }
  expect(await queueOf(session)).toMatchObject([
    { message: "second", queued_at: expect.any(Number) },
    { message: "third" },
  ]);
  expect(heardTexts(session)).toEqual(["first"]);
});

test("a replacing message takes the place of the replacing one that waits, and leaves the others", async () => {
  const { session } = await busy();
  await session.message("kept");
  await session.message("old", { delivery: "replace" });
  const { status, body } = await session.message("new", { delivery: "replace" });
  expect({ status, body }).toMatchObject({ status: 202, body: { position: 2 } });
  expect(await queueOf(session)).toMatchObject([{ message: "kept" }, { message: "new" }]);
});

test("a waiting message can be read, edited and taken out by id, apart from other sessions, and is 404 after that", async () => {
  const [{ session, events }, other] = [await busy(), await busy()];
  const [first, second] = [await session.message("one"), await session.message("two")];
  await other.session.message("elsewhere");
  const message_id = String(first.body["message_id"]);
  expect((await session.run("edit_queued", { message_id, message: "edited" })).status).toBe(200);
  expect(await queueOf(session)).toMatchObject([{ message: "edited" }, { message: "two" }]);
  expect((await session.run("delete_queued", { message_id })).status).toBe(200);
  expect(await queueOf(session)).toMatchObject([{ message_id: second.body["message_id"] }]);
  const late = { message_id, message: "late" };
  expect((await session.run("edit_queued", late)).status).toBe(404);
  for (const command of ["delete_queued", "send_queued"] as const)
    expect((await session.run(command, { message_id })).status).toBe(404);
  expect(await queueOf(other.session)).toMatchObject([{ message: "elsewhere" }]);
  await events.next(({ type, data }) => {
    return type === "queue_changed" && Bun.deepEquals(data["removed"], [message_id]);
  });
});

test("waiting messages are sent when the turn has ended, one a turn, in order, each announced", async () => {
  const session = await host.createSession({ conversation: askingTurn({ id: "p" }) });
  const events = await session.events();
  await session.message("first");
  await events.next("control_request_forward");
  const waiting = [await session.message("second"), await session.message("third")];
  expect(waiting.map(({ status }) => status)).toEqual([202, 202]);
  await session.run("approve", { requestId: "p", decision: "allow" });
  await events.next("turn_complete");
  for (const { body } of waiting) {
    await events.next(isOf("message_sent", body["message_id"]));
    await events.next("turn_complete");
  }
  expect(heardTexts(session)).toEqual(["first", "second", "third"]);
  expect(await queueOf(session)).toEqual([]);
});

test("a steered message goes to Claude at once, before the waiting ones", async () => {
  const { session } = await busy();
  await session.message("waiting");
  const { status, body } = await session.message("steered", { delivery: "steer" });
  expect(status).toBe(200);
  await session.claudeHears(({ uuid }) => uuid === body["message_id"]);
  expect(heardTexts(session)).toEqual(["first", "steered"]);
});

test("a message that is sent now ends the turn and has the next one, before the waiting messages, even if it has waited itself", async () => {
  const { session, events } = await busy();
  for (const message of ["second", "third"]) await session.message(message);
  const now = await session.message("now", { delivery: "now" });
  expect(now).toMatchObject({ status: 200, body: { status: "sent" } });
  expect((await events.next(isTurnEnd)).data).toMatchObject({ result: "cancelled" });
  await events.next(({ type, data }) => type === "turn_complete" && data["result"] === "success");
  await session.claudeHears(({ message }) => Object(message).content?.[0]?.text === "third");
  expect(heardTexts(session)).toEqual(["first", "now", "second", "third"]);
  const { session: other, events: told } = await busy();
  await other.message("second");
  const { body } = await other.message("third");
  const sent = await other.run("send_queued", {
    message_id: body["message_id"],
    delivery: "now",
  });
  expect(sent).toMatchObject({ status: 200, body: { status: "sent", queue: [{}] } });
  expect((await told.next(isTurnEnd)).data).toMatchObject({ result: "cancelled" });
  await other.claudeHears(({ message }) => Object(message).content?.[0]?.text === "second");
  expect(heardTexts(other)).toEqual(["first", "third", "second"]);
});

test("after an interrupt the turn has one end, and the next message its own turn", async () => {
  const { session, events } = await busy();
  const reply = await session.run("interrupt");
  expect(reply).toMatchObject({ status: 200, body: { status: "ok", queued: [] } });
  expect((await events.next(isTurnEnd)).data).toMatchObject({ result: "cancelled" });
  const { status } = await session.message("second");
  expect(status).toBe(200);
  expect((await events.next("turn_complete")).data).toMatchObject({ result: "success" });
  expect(events.events.filter(isTurnEnd)).toHaveLength(2);
});

test("an interrupt gives the waiting messages back with ids and attachments, and none of them reaches Claude", async () => {
  const { session, events } = await busy();
  const { body } = await session.message("draft");
  const reply = await session.run("interrupt");
  expect(reply.body).toMatchObject({
    queued: ["draft"],
    queued_messages: [{ message_id: body["message_id"], message: "draft", attachments: [] }],
  });
  await events.next(isTurnEnd);
  expect(await queueOf(session)).toEqual([]);
  expect(heardTexts(session)).toEqual(["first"]);
  const unknown = await host.run("interrupt", { id: crypto.randomUUID() });
  expect(unknown.status).toBe(404);
});

test("an interrupt needs no body, and without a turn it does nothing", async () => {
  const session = await host.createSession();
  const reply = await host.request("POST", `/api/sessions/${session.id}/interrupt`);
  expect(reply).toMatchObject({ status: 200, body: { status: "ok", queued: [] } });
  expect((await session.message("hi")).status).toBe(200);
});

test("an interrupt works while a prompt is open, and closes it for all", async () => {
  const session = await host.createSession({ conversation: askingTurn({ id: "p" }) });
  const events = await session.events();
  await session.message("go");
  await events.next("control_request_forward");
  expect((await session.run("interrupt")).status).toBe(200);
  const { data } = await events.next("control_request_cancel");
  expect(data).toMatchObject({ request_id: "p", reason: "interrupted" });
  expect((await session.run("approve", { requestId: "p", decision: "allow" })).status).toBe(409);
});

test("the message after the end of Claude starts it again in the same conversation", async () => {
  const session = await host.createSession({ conversation: dyingTurn(1) });
  const events = await session.events();
  await session.message("first");
  await session.claudeHears(({ type }) => type === "user");
  session.play([]);
  await events.next(isTurnEnd);
  expect((await session.message("second")).status).toBeOneOf([200, 202]);
  await events.next("turn_complete");
  const [first, second] = session.claudes;
  const id = first?.args.find((word) => word.startsWith("--session-id="))?.slice(13);
  expect(second?.args).toContain(`--resume=${id}`);
  expect(heardTexts(session)).toEqual(["first", "second"]);
});

test("a message that waited when Claude died is sent to the next Claude, and the one in flight is not", async () => {
  const conversation = [...askingTurn({ id: "p" }).slice(0, -2), exit(1)];
  const session = await host.createSession({ conversation });
  const events = await session.events();
  await session.message("first");
  await events.next("control_request_forward");
  await session.message("waiting");
  session.play([]);
  await session.run("approve", { requestId: "p", decision: "allow" });
  await events.next("turn_complete");
  expect(heardTexts(session)).toEqual(["first", "waiting"]);
  const ends = events.events.filter(({ type }) => type === "message_status");
  expect(ends.map(({ data }) => data["status"])).toContain("failed");
});

test("the same client id again gives the same answer and sends nothing, and with another text 409", async () => {
  const session = await host.createSession();
  const events = await session.events();
  const fields: Fields = { client_msg_id: "mine" };
  const first = await session.message("once", fields);
  await events.next("turn_complete");
  const again = await session.message("once", fields);
  expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body });
  expect((await session.message("twice", fields)).status).toBe(409);
  expect(heardTexts(session)).toEqual(["once"]);
});

test("messages to a session whose Claude is still starting arrive in order", async () => {
  // The first turn lasts until the test lets it end, so that the others wait, however slow they are.
  const session = await host.createSession({ conversation: askingTurn({ id: "p" }) });
  const texts = ["one", "two", "three"];
  const replies = await Promise.all(texts.map((text) => session.message(text)));
  const events = await session.events();
  await events.next("control_request_forward");
  await session.run("approve", { requestId: "p", decision: "allow" });
  for (const _ of texts) await events.next("turn_complete");
  expect(replies.map(({ status }) => status)).toEqual([200, 202, 202]);
  expect(heardTexts(session)).toEqual(texts);
});
