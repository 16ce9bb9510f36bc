/** Messages that are sent in the place of the running turn, command by command. */
import { expect, test } from "bun:test";
import { failureOf } from "../../../testing/drivers/failure.ts";
import { status, turnComplete, turnStarted } from "./support/bridge-words.ts";
import { openInTurn, openSession, reducedOf, settled } from "./support/session-harness.ts";

/** A session in the turn of the message "One", while "Two" waits. */
async function inTurn() {
  const { harness, session, message_id } = await openInTurn();
  const sent = () =>
    harness.bridge.sentOf("user_message").map(({ text, delivery }) => [text, delivery]);
  const { message_id: two } = await session.message({ message: "Two" });
  const waiting = async () => (await session.queue()).map(({ message }) => message);
  /** The turn is interrupted, and the message that interrupted it has a whole turn. */
  const goOn = async (id: string) => {
    await harness.say(
      { ...turnComplete("t1", [message_id]), type: "turn_cancelled", reason: "interrupted" },
      status(message_id, "completed"),
      turnStarted("t2", [id]),
      status(id, "started"),
    );
    const before = sent().length;
    await harness.say(turnComplete("t2", [id]), status(id, "completed"));
    return before;
  };
  return { harness, session, message_id, two, sent, waiting, goOn };
}

test("a message that is to be sent now goes to the bridge as such while a turn is open, and the waiting ones follow it", async () => {
  const { session, sent, waiting, goOn } = await inTurn();
  const receipt = await session.message({ message: "Now", delivery: "now" });
  expect(receipt.status).toBe("sent");
  expect(sent()).toEqual([
    ["One", undefined],
    ["Now", "now"],
  ]);
  expect(await waiting()).toEqual(["Two"]);
  expect((await reducedOf(session)).queue.map(({ text }) => text)).toEqual(["Now", "Two"]);
  expect(await goOn(receipt.message_id)).toBe(2);
  expect(sent().at(-1)).toEqual(["Two", undefined]);
});

test("a message that is repeated without haste is the one that was to be sent now", async () => {
  const { session, sent } = await inTurn();
  const message = { message: "Now", clientMessageId: "c1" };
  const receipt = await session.message({ ...message, delivery: "now" });
  expect(await session.message(message)).toEqual(receipt);
  expect(sent()).toHaveLength(2);
});

test("a message that waits is sent now, once, and before those that came earlier", async () => {
  const { session, sent, waiting, two, goOn } = await inTurn();
  const { message_id: three } = await session.message({ message: "Three" });
  expect(await session.sendQueued(three, "now")).toEqual({ status: "sent", message_id: three });
  expect(await failureOf(session.sendQueued(three, "now"))).toMatchObject({ status: 404 });
  expect(sent().at(-1)).toEqual(["Three", "now"]);
  expect(await waiting()).toEqual(["Two"]);
  await goOn(three);
  expect(await failureOf(session.sendQueued(two, "now"))).toMatchObject({ status: 404 });
});

test("a message that is to be sent now is like any other where no turn is open", async () => {
  const { harness, session } = await openSession();
  expect((await session.message({ message: "One", delivery: "now" })).status).toBe("sent");
  expect(harness.bridge.sentOf("user_message")[0]).not.toHaveProperty("delivery");
});

test("a message that is to be sent now while the one before is on its way goes in its place, which is returned when Claude gives it back", async () => {
  const { harness, session } = await openSession();
  const { message_id: one } = await session.message({ message: "One" });
  const { message_id: now } = await session.message({ message: "Now", delivery: "now" });
  expect(harness.bridge.sentOf("user_message").at(-1)).toMatchObject({ delivery: "now" });
  await session.message({ message: "Two" });
  await harness.say(status(one, "cancelled", { reason: "interrupted" }));
  expect(await session.returned()).toMatchObject([{ message: "One" }]);
  expect(harness.bridge.sentOf("user_message")).toHaveLength(2);
  await harness.say(turnStarted("t1", [now]), status(now, "started"));
  await harness.say(turnComplete("t1", [now]), status(now, "completed"));
  expect(harness.bridge.sentOf("user_message").at(-1)).toMatchObject({ text: "Two" });
});

test("a message that is to be sent now and waits for a bridge is the first of those that wait", async () => {
  const { harness, session, waiting } = await inTurn();
  harness.opened = Promise.withResolvers<void>().promise;
  await harness.endBridge();
  void session.message({ message: "Now", delivery: "now" });
  await settled();
  expect(await waiting()).toEqual(["Now", "Two"]);
});

test("a message that is to be sent now is returned when the bridge ends before Claude has read it", async () => {
  const { harness, session, waiting } = await inTurn();
  const { message_id } = await session.message({ message: "Now", delivery: "now" });
  await harness.endBridge();
  expect(await session.returned()).toMatchObject([{ message_id, message: "Now" }]);
  expect(await waiting()).toEqual([]);
  expect(harness.bridge.sentOf("user_message").map(({ text }) => text)).toEqual(["Two"]);
});

test("a message that is to be sent now interrupts nothing at the limit of dollars, and another limit in the turn lets it wait for a Claude with that budget", async () => {
  const { harness, session, sent, waiting, message_id } = await inTurn();
  await harness.say({ type: "cost_update", turn_cost_usd: 1, total_cost_usd: 1 });
  const spent = (await reducedOf(session)).cost.totalCostUsd;
  await session.setLimit(spent);
  const refused = await failureOf(session.message({ message: "Now", delivery: "now" }));
  expect(refused).toMatchObject({ status: 409, code: "over_limit" });
  expect(harness.bridge.sentOf("interrupt")).toEqual([]);
  await session.setLimit(spent + 1);
  const receipt = await session.message({ message: "Now", delivery: "now" });
  expect(receipt).toMatchObject({ status: "queued", position: 1 });
  expect(await waiting()).toEqual(["Now", "Two"]);
  expect(harness.bridge.sentOf("interrupt")).toHaveLength(1);
  expect(sent()).toHaveLength(1);
  await harness.say(turnComplete("t1", [message_id]), status(message_id, "completed"));
  expect(harness.bridges).toHaveLength(2);
  expect(sent()).toEqual([["Now", undefined]]);
});
