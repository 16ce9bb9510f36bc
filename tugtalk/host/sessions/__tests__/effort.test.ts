/** The thinking effort of a session: each start of Claude gets the chosen effort, and pages show it. */
import { expect, test } from "bun:test";
import { failureOf } from "../../../testing/drivers/failure.ts";
import type { HostSession } from "../../api/host-session.ts";
import { openSession, type SessionHarness, settled } from "./support/session-harness.ts";

const choose = (session: HostSession, effortLevel: unknown) =>
  session.control("apply_flag_settings", { settings: { effortLevel } });

/** The effort in the start of Claude after the host was killed. */
async function effortAfterKill(harness: SessionHarness, { id }: HostSession): Promise<unknown> {
  await harness.restart();
  await harness.sessions.get(id).message({ message: "Go on" });
  const [init] = harness.bridge.sentOf("protocol_init");
  return init?.options?.effort;
}

test("an effort that Claude has accepted applies to its next start after the host was killed", async () => {
  const { harness, session } = await openSession();
  await choose(session, "low");
  expect(await effortAfterKill(harness, session)).toBe("low");
});

test("a fork has the effort of its session", async () => {
  const { harness, session } = await openSession();
  await choose(session, "low");
  await harness.sessions.fork(session.id, undefined);
  expect(harness.bridge.sentOf("protocol_init")).toMatchObject([{ options: { effort: "low" } }]);
});

test("with the default chosen, the next start has no effort, also where the session was created with one", async () => {
  const harness = (await openSession()).harness;
  const session = await harness.create({ options: { effort: "high" } });
  await choose(session, null);
  expect(await effortAfterKill(harness, session)).toBeUndefined();
});

test.each(["", 3, undefined])("an effort of %p leaves the next start as it was", async (level) => {
  const { harness, session } = await openSession();
  await choose(session, "low");
  await choose(session, level);
  expect(await effortAfterKill(harness, session)).toBe("low");
});

test("an effort that Claude refuses does not apply to its next start", async () => {
  const { harness, session } = await openSession();
  harness.bridge.answers.set("control", (usual) => ({ ...usual, ok: false, error: "no" }));
  expect(await failureOf(choose(session, "low"))).toMatchObject({ code: "refused" });
  expect(await effortAfterKill(harness, session)).toBeUndefined();
});

test("after an effort was accepted, the state has the settings that Claude has then", async () => {
  const { harness, session } = await openSession();
  const response = { applied: { effort: "low" } };
  harness.bridge.answers.set("control", (usual, { subtype }) => ({
    ...usual,
    subtype,
    ...(subtype === "get_settings" && { response }),
  }));
  await choose(session, "low");
  await settled();
  expect((await session.snapshot()).state.controlResponses).toEqual({ get_settings: response });
});
