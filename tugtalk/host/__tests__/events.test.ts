/** The events of all sessions, over real sockets. */
import { afterAll, expect, test } from "bun:test";
import type { SentEvent } from "../../testing/drivers/host-clients.ts";
import { askingTurn, withdrawingTurn } from "../../testing/drivers/host-conversations.ts";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";

const host = await startHost();
afterAll(endHosts);

test("a subscription to all sessions begins with the list and has the events of each, with its id", async () => {
  const session = await host.createSession({ conversation: withdrawingTurn({ id: "p" }) });
  const [events, socket] = [await host.events("/api/events"), await host.socket()];
  await socket.run("subscribe", { s: "*" });
  const listed = JSON.stringify((await events.next(() => true)).data);
  expect(listed).toContain(session.id);
  expect(JSON.stringify((await socket.next(() => true)).d)).toContain(session.id);
  const { body } = await session.message("go");
  const id = { sessionId: session.id, stageId: session.id };
  for (const [type, data] of [
    ["message-sent", { message_id: body["message_id"] }],
    ["approval-requested", { requestId: "p" }],
    ["approval-cancelled", { requestId: "p" }],
  ] as const) {
    expect((await events.next(type)).data).toMatchObject({ ...id, ...data });
    expect(await socket.next(type)).toMatchObject({ s: session.id, d: { ...id, ...data } });
  }
});

test("the list of all sessions hears of new sessions, of their states and of their deletion", async () => {
  const events = await host.events("/api/events");
  await events.next(() => true);
  const session = await host.createSession({ conversation: askingTurn({ id: "p" }) });
  await session.message("go");
  const isChange = (state: string) => (event: SentEvent) => {
    const { type, data } = event;
    return data["id"] === session.id && type === "session_changed" && data["state"] === state;
  };
  await events.next(isChange("requires_action"));
  await session.run("approve", { requestId: "p", decision: "allow" });
  await events.next(isChange("idle"));
  await session.run("delete");
  await events.next(({ type, data }) => type === "session_deleted" && data["id"] === session.id);
});
