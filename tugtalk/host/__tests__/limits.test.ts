/** The dollar limit of a session, over real sockets, with the budget of each Claude. */
import { afterAll, expect, test } from "bun:test";
import type { Fields } from "../../testing/drivers/host-clients.ts";
import { askingTurn, endingTurn } from "../../testing/drivers/host-conversations.ts";
import { endHosts, startHost, type TestHostSession } from "../../testing/drivers/host-process.ts";

const host = await startHost();
afterAll(endHosts);

/** The budget of each Claude of the session, oldest first. */
function budgetsOf(session: TestHostSession): readonly (number | undefined)[] {
  return session.claudes.map(({ args }) => {
    const flag = args.find((word) => word.startsWith("--max-budget-usd="));
    return flag === undefined ? undefined : Number(flag.split("=")[1]);
  });
}

async function infoOf(session: TestHostSession): Promise<Fields> {
  return (await session.run("session")).body;
}

test("a session with a limit starts Claude with it as the budget, refuses a message at the limit with 409 over_limit, and goes on once it is raised, in a Claude with the rest", async () => {
  const conversation = endingTurn({ total_cost_usd: 0.5 });
  const session = await host.createSession({ limit_usd: 0.5, conversation });
  await session.finishTurn();
  expect(await infoOf(session)).toMatchObject({ limit_usd: 0.5, cost_usd: 0.5, state: "idle" });
  expect(await session.message("more")).toMatchObject({
    status: 409,
    body: { code: "over_limit", limit_usd: 0.5 },
  });
  expect(await infoOf(session)).toMatchObject({ queued: 0 });
  session.play(endingTurn({ total_cost_usd: 0.25 }));
  expect(await session.run("update", { limit_usd: 0.75 })).toMatchObject({
    status: 200,
    body: { limit_usd: 0.75 },
  });
  await session.finishTurn("more");
  expect(budgetsOf(session)).toEqual([0.5, 0.25]);
  expect(await session.message("still more")).toMatchObject({ status: 409 });
});

test("messages that wait when the limit is reached are held, and cannot be sent before the limit is raised", async () => {
  const conversation = [...askingTurn({ id: "p" }), ...endingTurn({ total_cost_usd: 2 })];
  const session = await host.createSession({ limit_usd: 2, conversation });
  const events = await session.events();
  await session.message("one");
  await events.next("control_request_forward");
  await session.message("two");
  const { body } = await session.message("three");
  await session.run("approve", { requestId: "p", decision: "allow" });
  await events.next(({ type, data }) => type === "queue_changed" && data["held"] === true);
  const message_id = body["message_id"];
  expect(await session.run("send_queued", { message_id })).toMatchObject({
    status: 409,
    body: { code: "over_limit" },
  });
  session.play(endingTurn({ total_cost_usd: 0.1 }));
  await session.run("update", { limit_usd: null });
  expect(await session.run("send_queued", { message_id })).toMatchObject({ status: 200 });
  await events.next("turn_complete");
  expect(budgetsOf(session)).toEqual([2, undefined]);
  expect(await infoOf(session)).not.toHaveProperty("limit_usd");
});

test("a Claude that has spent its budget is followed by another one, whatever the session has cost", async () => {
  const conversation = endingTurn({
    subtype: "error_max_budget_usd",
    is_error: true,
    total_cost_usd: 0.9,
  });
  const session = await host.createSession({ limit_usd: 1, conversation });
  expect((await session.finishTurn()).data).toMatchObject({ subtype: "error_max_budget_usd" });
  session.play(endingTurn({ total_cost_usd: 0.05 }));
  expect((await session.finishTurn()).data).toMatchObject({ result: "success" });
  expect(budgetsOf(session)).toEqual([1, expect.closeTo(0.1, 9)]);
});

test("a limit that changes while a turn runs does not end that turn, and all clients get the change", async () => {
  const session = await host.createSession({ conversation: askingTurn({ id: "p" }) });
  const events = await session.events();
  const board = await host.events("/api/events");
  await session.message("go");
  await events.next("control_request_forward");
  await session.run("update", { limit_usd: 3 });
  expect((await events.next("session_changed")).data).toMatchObject({ limit_usd: 3 });
  await board.next(({ type, data }) => type === "session_changed" && data["limit_usd"] === 3);
  await session.run("approve", { requestId: "p", decision: "allow" });
  expect((await events.next("turn_complete")).data).toMatchObject({ result: "success" });
  await session.run("update", { limit_usd: null });
  expect((await events.next("session_changed")).data).toMatchObject({ limit_usd: null });
});

test("the smaller one of the limit and options.max_budget_usd is Claude's budget, and a fork has the limit too", async () => {
  const session = await host.createSession({ limit_usd: 4, options: { max_budget_usd: 1 } });
  await session.finishTurn();
  expect(budgetsOf(session)).toEqual([1]);
  expect((await session.run("fork")).body).toMatchObject({ limit_usd: 4, cost_usd: 0 });
});

test("a limit is kept when the host is killed, and one that is no positive number is 400", async () => {
  const session = await host.createSession({ limit_usd: 5 });
  await host.restart();
  expect(await infoOf(session)).toMatchObject({ limit_usd: 5 });
  for (const limit_usd of [0, -1, "much"])
    expect(await session.run("update", { limit_usd })).toMatchObject({
      status: 400,
      body: { field: "limit_usd" },
    });
  expect(await session.run("update")).toMatchObject({ status: 400, body: { field: "title" } });
});
