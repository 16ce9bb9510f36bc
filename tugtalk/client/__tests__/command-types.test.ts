/** Commands typed by their names: the compiler refuses the lines under `@ts-expect-error`. */
import { afterAll, expect, test } from "bun:test";
import type { QueuedMessageInfo, SessionInfo } from "../host-api.ts";
import { openHostClient } from "../host-client.ts";
import { refusalOf } from "../transports/__tests__/support/refusal.ts";
import { TestHost } from "../transports/__tests__/support/test-host.ts";

const host = new TestHost();
const transport = host.open("http");
afterAll(async () => {
  transport.close();
  await host.stop();
});

test("a command has the fields of its name", async () => {
  await transport.command("message", { id: "one", message: "Hi", delivery: "steer" });
  await transport.command("model", { id: "one", model: null });
  await transport.command("history");
  await transport.command("control", { id: "one", subtype: "mcp_toggle", enabled: false });
  // @ts-expect-error There is no command `rename`.
  await refusalOf(transport.command("rename", { id: "one" }));
  // @ts-expect-error A message has a text.
  await transport.command("message", { id: "one" });
  // @ts-expect-error It is called `message`.
  await transport.command("message", { id: "one", text: "Hi" });
  // @ts-expect-error No message is delivered so.
  await transport.command("message", { id: "one", message: "Hi", delivery: "soon" });
  // @ts-expect-error A command about a session names it.
  await refusalOf(transport.command("queue"));
  // @ts-expect-error A limit is a number.
  await transport.command("turns", { id: "one", limit: "50" });
  // @ts-expect-error This one has no fields.
  await transport.command("places", { id: "one" });
  expect(host.given.at(0)).toMatchObject({
    name: "message",
    fields: { id: "one", message: "Hi", delivery: "steer" },
  });
});

test("a command resolves with the answer of its name", async () => {
  const { queue } = await transport.command("queue", { id: "one" });
  const waiting: readonly QueuedMessageInfo[] = queue;
  const session: SessionInfo = await transport.command("update", { id: "one", title: "Two" });
  const { status, ...receipt } = await transport.command("message", { id: "one", message: "Hi" });
  // @ts-expect-error Only the receipt of a message that waits has a place.
  const place: number = receipt.position;
  // @ts-expect-error A session has no field `name`.
  const { name } = session;
  // @ts-expect-error The queue is a list.
  const text: string = queue;
  expect({ waiting, title: session.title, status, place, name, text }).toMatchObject({
    title: "One",
    status: "queued",
    place: 1,
  });
});

test("a command on a session has the other fields of its name", async () => {
  const session = openHostClient(transport).session("one");
  const { queue } = await session.command("queue");
  await session.command("control", { subtype: "mcp_toggle", enabled: false });
  // @ts-expect-error A control request names its subtype.
  await session.command("control", {});
  // @ts-expect-error The session is known.
  await session.command("message", { id: "two", message: "Hi" });
  // @ts-expect-error This one is about no session.
  await session.command("places");
  const waiting: readonly QueuedMessageInfo[] = queue;
  // The host of this test has no queue.
  expect(waiting).toBeUndefined();
  expect(host.given.slice(-5).map(({ name, fields }) => [name, fields["id"]])).toEqual([
    ["queue", "one"],
    ["control", "one"],
    ["control", "one"],
    ["message", "one"],
    ["places", "one"],
  ]);
});
