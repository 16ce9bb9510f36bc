/** A session that waits for the reset of the usage limit at one of several hosts. */
import { afterAll, expect, test } from "bun:test";
import { at, SharedHosts } from "./support/shared-hosts.ts";

const hosts = await SharedHosts.open();
const [one, other, dying] = await Promise.all([hosts.start(), hosts.start(), hosts.start()]);
afterAll(() => hosts.end());

/** In whole seconds, as Claude gives it: time enough for a takeover. */
const RESET_S = 6;

test("a session whose host is killed while it waits for the limit goes on once, at another host, after the reset", async () => {
  const resetsAt = Math.ceil(Date.now() / 1000) + RESET_S;
  const session = await dying.createSession({ claudeEnv: { TUGTALK_SIM_LIMIT: `${resetsAt}` } });
  await session.finishTurn("Do it");
  await session.run("update", { goes_on: true });
  await dying.kill();
  const watched = await Promise.all([one, other].map((host) => at(host, session).events()));
  for (const events of watched) {
    await events.next(({ type, data }) => type === "turn_complete" && data["result"] === "success");
    const sent = events.events.filter(
      ({ type, data }) => type === "message_sent" && data["after_limit"] !== undefined,
    );
    expect(sent.map(({ data }) => Number(data["sent_at"]) >= resetsAt * 1000)).toEqual([true]);
  }
  expect(Date.now()).toBeGreaterThan(resetsAt * 1000);
  // Claude reads the next messages after all others.
  await at(one, session).finishTurn("And then?");
  const heard = session.claudeInput.filter(({ type }) => type === "user");
  expect(heard).toHaveLength(3);
  expect(session.claudes).toHaveLength(2);
  const { body } = await at(other, session).run("session");
  expect(body).not.toContainAnyKeys(["goes_on_at", "limit_resets_at"]);
});
