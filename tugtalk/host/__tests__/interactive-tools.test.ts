/** Interactive tools, and the routes by tool call, over real sockets. */
import { afterAll, expect, test } from "bun:test";
import { askingTurn, interleavedTurn } from "../../testing/drivers/host-conversations.ts";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";
import { answerTo, asked, form, isAnswerTo, isOf, nextPrompt } from "./support/asked-session.ts";

const host = await startHost();
afterAll(endHosts);

test("two prompts of one turn are open at once and are answered in any order by tool call", async () => {
  const conversation = askingTurn({ id: "a" }, { id: "b" });
  const session = await host.createSession({ conversation });
  const events = await session.events();
  await session.message("go");
  await events.next(isOf("control_request_forward", "b"));
  expect((await session.run("pending")).body).toMatchObject({
    pending: [{ toolUseId: "call-a" }, { toolUseId: "call-b" }],
  });
  for (const id of ["b", "a"]) {
    await host.request("POST", `/api/sessions/${session.id}/approve`, { toolCallId: `call-${id}` });
    await events.next(isOf("control_request_resolved", id));
  }
  await events.next("turn_complete");
});

test("Claude decides what it asks, and the host passes on every question and permission in every mode", async () => {
  const modes = ["bypassPermissions", "default", "acceptEdits", "plan"];
  const command = { name: "Bash", input: { command: "ls" } };
  const tools = modes.flatMap((mode) => [form(`ask-${mode}`), { id: `run-${mode}`, ...command }]);
  // The mode that allows all is available at the start only.
  const { session, events } = await asked(host, tools, { permission_mode: modes[0] });
  for (const [at, { id }] of tools.entries()) {
    const [, mode = ""] = id.split("-");
    if (at > 1) expect((await session.run("mode", { mode })).status).toBe(200);
    if (at > 0) expect(await nextPrompt(session, events)).toMatchObject({ request_id: id });
    const { body } = await session.run("session");
    expect(body).toMatchObject({ permission_mode: mode, pending: 1 });
    expect(session.claudeInput.some(isAnswerTo(id))).toBe(false);
    await session.run("approve", { requestId: id, decision: "deny" });
    await events.next("turn_complete");
  }
});

test("Claude's messages before, beside and after a prompt arrive once and in order", async () => {
  const session = await host.createSession({ conversation: interleavedTurn({ id: "p" }) });
  const events = await session.events();
  await session.message("go");
  await events.next("control_request_forward");
  await events.next(({ data }) => data["text"] === "beside" && data["status"] === "complete");
  await session.run("approve", { requestId: "p", decision: "allow" });
  await events.next("turn_complete");
  const texts = events.events.filter(
    ({ type, data }) => type === "assistant_text" && data["status"] === "complete",
  );
  expect(texts.map(({ data }) => data["text"])).toEqual(["before", "beside", "after"]);
});

test("the routes by tool call answer ok once, 409 after that, and 404 without such a call", async () => {
  const { session, events } = await asked(host, [
    form("submit-answers"),
    { id: "approve" },
    { id: "deny" },
  ]);
  for (const route of ["submit-answers", "approve", "deny"]) {
    if (route !== "submit-answers") await nextPrompt(session, events);
    const path = `/api/sessions/${session.id}/${route}`;
    const send = (toolCallId: string) =>
      host.request("POST", path, {
        toolCallId,
        ...(route === "submit-answers" && { answers: { 0: "Red" } }),
      });
    const unknown = await send("call-none");
    expect(unknown.status).toBe(404);
    if (route === "submit-answers") expect(unknown.body["error"]).toBe("No pending question");
    const first = await send(`call-${route}`);
    expect(first).toMatchObject({ status: 200, body: { ok: true } });
    const behavior = route === "deny" ? "deny" : "allow";
    expect(await answerTo(session, route)).toMatchObject({ behavior });
    const second = await send(`call-${route}`);
    expect(second).toMatchObject({ status: 409, body: { code: "already_resolved" } });
    await events.next("turn_complete");
  }
});
