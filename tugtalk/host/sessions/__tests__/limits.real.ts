/** The limit of dollars with a real `claude`: how it counts its budget, and that the host gives it what is left. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Fields } from "../../../testing/drivers/host-clients.ts";
import {
  endHosts,
  startHost,
  type TestHost,
  type TestHostSession,
} from "../../../testing/drivers/host-process.ts";
import { openRealPlace, type RealPlace } from "../../../testing/real/real-session.ts";
import { INSTALL_TIMEOUT_MS, REAL_TIMEOUT_MS } from "../../../testing/real/real-shared-session.ts";

setDefaultTimeout(2 * REAL_TIMEOUT_MS);

let real: RealPlace;
let host: TestHost;
beforeAll(async () => {
  real = await openRealPlace("2.1.330");
  host = await startHost({ claude: real.claude, env: real.home.environment(real.api.url) });
}, INSTALL_TIMEOUT_MS);
afterAll(async () => {
  await endHosts();
  await real.close();
});

/** The end of a turn, and what the session has cost then. */
async function turn(session: TestHostSession, text: string) {
  real.api.script(`Answer to ${text}.`);
  const events = await session.events();
  const { body } = await session.message(text);
  const { data } = await events.next(
    ({ type, data: end }) =>
      type === "turn_complete" && Object(end["message_ids"]).includes(body["message_id"]),
  );
  events.close();
  const info: Fields = (await session.run("session")).body;
  return { end: data, cost: Number(info["cost_usd"]) };
}

test("a Claude that resumes a conversation counts its budget from its own start, so that it is given what is left of the limit", async () => {
  const session = await host.createSession();
  const first = await turn(session, "one");
  expect(first.cost).toBeGreaterThan(0);
  await session.run("update", { limit_usd: 2.5 * first.cost });
  // Claude is another process now. With the costs before it, it would be beyond its budget.
  const second = await turn(session, "two");
  expect(second.end).toMatchObject({ result: "success" });
  const third = await turn(session, "three");
  expect(third.end).toMatchObject({ subtype: "error_max_budget_usd" });
  expect(third.cost).toBeGreaterThan(2.5 * first.cost);
  expect(await session.message("four")).toMatchObject({
    status: 409,
    body: { code: "over_limit" },
  });
  await session.run("update", { limit_usd: 10 * first.cost });
  expect((await turn(session, "four")).end).toMatchObject({ result: "success" });
  await session.run("delete");
});
