/** `acpx`, a client that nobody here wrote, with the agent and a real `claude`. */
import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promptText } from "../../simulator/api-request.ts";
import { fieldsOf } from "../../src/base/json.ts";
import { UNDER_TEST } from "../../testing/drivers/bridge-process.ts";
import { descendantsOf, leftAfter } from "../../testing/drivers/processes.ts";
import { type AcpxOutput, openAcpx } from "../../testing/real/acpx.ts";
import { callTool, holdReply } from "../../testing/real/real-replies.ts";
import { realTests } from "../../testing/real/real-tests.ts";

const test = realTests("2.1.330");

/** Why each of its prompts has ended. */
function stopReasons({ lines }: AcpxOutput): unknown[] {
  return lines.flatMap(({ result }) => fieldsOf(result)["stopReason"] ?? []);
}

function methods({ lines }: AcpxOutput): unknown[] {
  const called = lines.filter(({ id }) => id !== undefined);
  return called.flatMap(({ method }) => method ?? []);
}

/** The values of all options in an answer. */
function settings({ lines }: AcpxOutput) {
  const options = lines.flatMap(({ configOptions }) => configOptions ?? []).map(fieldsOf);
  return Object.fromEntries(options.map(({ id, currentValue }) => [id, currentValue]));
}

test("a second process goes on in a session that was never prompted; files are written as allowed, a turn is cancelled, settings are kept, and nothing is left", async (place) => {
  const { api, home, claude } = place;
  const acpx = await openAcpx(place, [...UNDER_TEST, "acp", `--claude=${claude}`]);
  const [allowed, denied] = ["allowed.txt", "denied.txt"].map((name) => join(home.project, name));
  const write = (path = "") => callTool("Write", { file_path: path, content: "one\n" });

  const [created] = (await acpx("sessions", "new")).lines;
  const id = created?.["acpxSessionId"];
  const held = holdReply("begun", " and ended");
  api.script(write(allowed), "Written.", write(denied), "Not written.", held.reply);

  const first = await acpx("--approve-all", "prompt", "write");
  expect(methods(first).slice(0, 3)).toEqual(["initialize", "session/resume", "session/prompt"]);
  expect(stopReasons(first)).toEqual(["end_turn"]);
  expect(stopReasons(await acpx("--deny-all", "prompt", "write more"))).toEqual(["end_turn"]);
  expect([allowed, denied].map((path) => existsSync(path ?? ""))).toEqual([true, false]);

  const listed = (await acpx("sessions", "list")).lines;
  expect(listed).toMatchObject([
    { source: "agent", sessions: [{ sessionId: id, cwd: home.project, title: "write" }] },
  ]);

  await acpx("set-mode", "plan");
  await acpx("set", "model", "sonnet");
  const set = await acpx("set", "effort", "low");
  expect(settings(set)).toMatchObject({ mode: "plan", model: "sonnet", effort: "low" });

  const told = acpx("prompt", "tell a tale");
  await api.waitForRequest(({ body }) => promptText(body).includes("tell a tale"));
  expect((await acpx("cancel")).lines).toMatchObject([{ cancelled: true }]);
  expect(stopReasons(await told)).toEqual(["cancelled"]);
  const { body } = api.requests.at(-1) ?? {};
  expect(fieldsOf(body)).toMatchObject({
    model: expect.stringContaining("sonnet"),
    output_config: { effort: "low" },
  });

  // The process that keeps the session has started the agent, and that has started Claude.
  const [status] = (await acpx("status")).lines;
  expect(status).toMatchObject({ acpxSessionId: id, status: "alive", mode: "plan" });
  const keeper = Number(status?.["pid"]);
  const kept = [keeper, ...descendantsOf(keeper)];
  expect(kept.length).toBeGreaterThan(2);
  expect((await acpx("sessions", "close")).lines).toMatchObject([{ action: "session_closed" }]);
  expect(await leftAfter(kept, 10_000)).toEqual([]);
});
