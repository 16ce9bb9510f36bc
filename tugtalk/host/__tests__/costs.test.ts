/** The costs of all sessions by day, over real sockets. */
import { afterAll, expect, test } from "bun:test";
import type { Fields } from "../../testing/drivers/host-clients.ts";
import { endingTurn } from "../../testing/drivers/host-conversations.ts";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";

const host = await startHost();
afterAll(endHosts);

const DOLLAR = endingTurn({ total_cost_usd: 1 });

/** The costs of today, unless the day has just changed. */
async function latestDay(fields: Fields = { time_zone: "UTC" }): Promise<Fields> {
  const { body } = await host.run("costs", fields);
  return Object(body["days"])[0] ?? {};
}

test("a turn counts with its end, by session and after a kill of the host, and stays when its session is deleted", async () => {
  expect(await latestDay()).toEqual({});
  const kept = await host.createSession({ conversation: DOLLAR });
  const deleted = await host.createSession({ conversation: endingTurn({ total_cost_usd: 0.25 }) });
  await kept.finishTurn();
  await deleted.finishTurn();
  await host.kill();
  await host.start();
  expect(await latestDay()).toMatchObject({
    day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    cost_usd: 1.25,
    sessions: [
      { id: kept.id, cost_usd: 1 },
      { id: deleted.id, cost_usd: 0.25 },
    ],
  });
  await deleted.run("delete");
  const { cost_usd, sessions } = await latestDay();
  expect([cost_usd, sessions]).toEqual([1.25, [{ id: kept.id, cost_usd: 1 }, { cost_usd: 0.25 }]]);
});

test("a day is one of the given time zone, by default of the host's", async () => {
  const day = (timeZone: string) => new Date().toLocaleDateString("sv-SE", { timeZone });
  for (const time_zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
    expect(await latestDay({ time_zone })).toMatchObject({ day: day(time_zone) });
  const { body } = await host.run("costs");
  expect(body["time_zone"]).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
});

test.each([{ days: 0 }, { days: 367 }, { days: "some" }, { time_zone: "Mars/Olympus" }])(
  "costs refuses %j",
  async (fields) => {
    const [field] = Object.keys(fields);
    expect(await host.run("costs", fields)).toMatchObject({ status: 400, body: { field } });
  },
);
