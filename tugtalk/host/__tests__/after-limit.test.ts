/**
 * A session that continues after the usage limit, over real sockets, with a Claude that is refused until
 * then.
 */
import { afterAll, expect, test } from "bun:test";
import type { Fields, SentEvent } from "../../testing/drivers/host-clients.ts";
import { endHosts, startHost, type TestHostSession } from "../../testing/drivers/host-process.ts";

const host = await startHost();
afterAll(endHosts);

/** The time of a reset in whole seconds, as Claude gives it. */
const inSeconds = (seconds: number) => Math.ceil(Date.now() / 1000) + seconds;

/** A session whose Claude the limit refuses, once the refusal is known. */
async function refused(resetsAt: number, late = ""): Promise<TestHostSession> {
  const session = await host.createSession({
    claudeEnv: { TUGTALK_SIM_LIMIT: `${resetsAt}${late}` },
  });
  const end = await session.finishTurn("Do it");
  expect(end.data).toMatchObject({ is_error: true, api_error_status: 429 });
  return session;
}

/** The texts of the messages that its Claudes have read, with their ids. */
function heard({ claudeInput }: TestHostSession): readonly (readonly [string, unknown])[] {
  return claudeInput
    .filter(({ type }) => type === "user")
    .map(({ message, uuid }) => {
      const { content } = message as { readonly content: string | readonly Fields[] };
      return [typeof content === "string" ? content : String(content[0]?.["text"]), uuid];
    });
}

const isGoodEnd = ({ type, data }: SentEvent) =>
  type === "turn_complete" && data["result"] === "success";

test("a session that is turned on goes on after the reset, and the list of all sessions says when", async () => {
  const board = await host.events("/api/events");
  const resetsAt = inSeconds(3);
  const session = await refused(resetsAt);
  const { body } = await session.run("update", { goes_on: true });
  const at = Number(body["goes_on_at"]);
  expect(body).toMatchObject({ goes_on: true, limit_resets_at: resetsAt * 1000 });
  expect(at).toBeWithin(resetsAt * 1000, resetsAt * 1000 + 3_000);
  await board.next(({ data }) => data["id"] === session.id && data["goes_on_at"] === at);
  const events = await session.events();
  const sent = await events.next(
    ({ type, data }) => type === "message_sent" && data["after_limit"] !== undefined,
  );
  const time = Date.now();
  expect(time).toBeWithin(resetsAt * 1000, resetsAt * 1000 + 5_000);
  await events.next(isGoodEnd);
  const [first, again, ...others] = heard(session);
  expect([first?.[0], again?.[0]]).toEqual(["Do it", "Do it"]);
  expect(sent.data).toMatchObject({
    message_id: again?.[1],
    message: "Do it",
    after_limit: { again: first?.[1] },
  });
  expect(others).toEqual([]);
  await board.next(
    ({ data }) => data["id"] === session.id && data["limit_resets_at"] === undefined,
  );
});

test("a session goes on in a host that was killed before the reset, and in one that was down over it", async () => {
  const sessions = [await refused(inSeconds(5)), await refused(inSeconds(2), " late")];
  for (const session of sessions) await session.run("update", { goes_on: true });
  await host.restart();
  for (const [index, text] of ["Do it", "continue"].entries()) {
    const session = sessions[index] as TestHostSession;
    await (await session.events()).next(isGoodEnd);
    expect(heard(session).map(([said]) => said)).toEqual(["Do it", text]);
  }
});

test("a session that a person cancels or turns off does not go on, and other values are refused", async () => {
  const session = await refused(inSeconds(600));
  await session.run("update", { goes_on: true });
  expect((await session.run("update", { goes_on_at: null })).body).toMatchObject({ goes_on: true });
  const { body } = await session.run("update", { goes_on: false });
  expect(body).not.toContainAnyKeys(["goes_on", "goes_on_at", "limit_resets_at"]);
  for (const fields of [{ goes_on_at: 5 }, { goes_on: "soon" }])
    expect(await session.run("update", fields)).toMatchObject({
      status: 400,
      body: { code: "bad_request", field: Object.keys(fields)[0] },
    });
});
