/** Archived sessions, over real sockets and with a running Claude. */
import { afterAll, expect, test } from "bun:test";
import { isGone } from "../../testing/drivers/claudes.ts";
import { askingTurn } from "../../testing/drivers/host-conversations.ts";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";

const host = await startHost();
afterAll(endHosts);

test("archiving a session ends its Claude, and a message brings it back in the same conversation", async () => {
  const session = await host.createSession();
  const board = await host.events("/api/events");
  const { data } = await (await session.events()).next("process_started");
  await session.finishTurn();
  const { body } = await session.run("update", { archived: true });
  expect(body).toMatchObject({ state: "exited", archived_at: expect.any(Number) });
  await isGone(Number(data["pid"]));
  await board.next(({ data }) => data["id"] === session.id && data["archived_at"] !== undefined);
  await host.restart();
  expect((await session.run("session")).body).toEqual(body);
  await session.finishTurn("again");
  expect((await session.run("session")).body).not.toHaveProperty("archived_at");
  expect(session.claudes[1]?.args).toContain(`--resume=${body["claude_session_id"]}`);
});

test("a session that waits for a person is not archived, and the refusal says what to do", async () => {
  const session = await host.createSession({ conversation: askingTurn({ id: "p" }) });
  const events = await session.events();
  await session.message("go");
  await events.next("control_request_forward");
  expect(await session.run("update", { archived: true })).toMatchObject({
    status: 409,
    body: { code: "at_work", error: "the session is at work: stop it first, or let it end" },
  });
  expect((await session.run("session")).body).toMatchObject({ state: "requires_action" });
});
