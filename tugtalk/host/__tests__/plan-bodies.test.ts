/** Commands with the fields of other hosts' plans, over real sockets. */
import { afterAll, expect, test } from "bun:test";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";
import { answerTo, asked, form } from "./support/asked-session.ts";

const host = await startHost();
afterAll(endHosts);

const post = (path: string, body?: object) => host.request("POST", path, body ?? {});

test("message, pending, approve and interrupt take their fields under the names of the plans", async () => {
  const { session } = await asked(host, [{ id: "p" }]);
  const path = `/api/sessions/${session.id}`;
  const listed = await host.request("GET", `${path}/pending`);
  expect(listed).toMatchObject({
    status: 200,
    body: {
      pending: [
        {
          type: "approval",
          stageId: session.id,
          requestId: "p",
          request_id: "p",
          toolName: "Write",
        },
      ],
    },
  });
  const decided = { requestId: "p", decision: "deny", reason: "not now" };
  expect(await post(`${path}/approve`, decided)).toMatchObject({ status: 200 });
  expect(await answerTo(session, "p")).toMatchObject({ behavior: "deny", message: "not now" });
  const sent = await post(`${path}/message`, { stageId: session.id, message: "go on" });
  expect([200, 202]).toContain(sent.status);
  expect(await post(`${path}/interrupt`)).toMatchObject({ status: 200, body: { status: "ok" } });
  expect(await post(`${path}/mode`, { mode: "plan" })).toMatchObject({ status: 200 });
  const twice = { mode: "plan", permission_mode: "plan" };
  expect(await post(`${path}/mode`, twice)).toMatchObject({ status: 400, body: { field: "mode" } });
});

test("answer and submit-answers take their fields under the names of the plans", async () => {
  const { session } = await asked(host, [form("first")]);
  const path = `/api/sessions/${session.id}`;
  const unknown = await post(`${path}/answer`, { requestId: "none", answers: { "0": "Red" } });
  expect(unknown.status).toBe(404);
  const twice = { requestId: "first", request_id: "first", answers: { "0": "Red" } };
  expect(await post(`${path}/answer`, twice)).toMatchObject({
    status: 400,
    body: { field: "requestId" },
  });
  expect(
    await post(`${path}/answer`, { requestId: "first", answers: { "0": "Red" } }),
  ).toMatchObject({ status: 200, body: { status: "ok" } });
  expect(await answerTo(session, "first")).toMatchObject({ behavior: "allow" });
  const late = { toolCallId: "call-first", answers: { "0": "Red" } };
  expect((await post(`${path}/submit-answers`, late)).status).toBe(409);
});
