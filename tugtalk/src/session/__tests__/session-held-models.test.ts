/** A model change in a turn, which some versions of Claude must not receive before the turn has ended (§2d). */
import { expect, test } from "bun:test";
import { initLine, resultLine } from "../../../testing/drivers/test-lines.ts";
import type { TestSession } from "../../../testing/drivers/test-session.ts";
import { SECOND, working } from "../../../testing/drivers/working-session.ts";

const MODEL = { subtype: "set_model", model: "haiku" };

const inTurn = (claude_code_version: string) => working({}, initLine({ claude_code_version }));

const choose = (session: TestSession, model: string | null = "haiku") =>
  session.chooseModel(model, "choose");

const setFlags = (session: TestSession, settings: Record<string, unknown>) =>
  session.control("apply_flag_settings", { id: "flags", settings });

test("a model change in a turn is accepted at once and sent to 2.1.197 after the turn, before the next message", async () => {
  const session = await inTurn("2.1.197");
  session.message("second", { message_id: SECOND });
  expect(await session.writtenBy(() => choose(session))).toEqual([]);
  expect(session.of("control_result", "model_changed")).toMatchObject([
    { type: "control_result", subtype: "set_model", ok: true, in_reply_to: "choose" },
    { type: "model_changed", model: "haiku", source: "host" },
  ]);
  const written = await session.writtenBy(resultLine());
  expect(written).toMatchObject([{ request: MODEL }, { type: "user", uuid: SECOND }]);
  const emitted = await session.emittedBy(() => session.answerTo("set_model"));
  expect(emitted).toEqual([]);
});

test.each([
  ["2.1.330 in a turn", "2.1.330", []],
  ["2.1.197 between turns", "2.1.197", [resultLine()]],
])("a model change is sent to %s at once", async (_name, version, lines) => {
  const session = await inTurn(version);
  await session.say(...lines);
  expect(await session.writtenBy(() => choose(session))).toMatchObject([{ request: MODEL }]);
  expect(session.of("control_result")).toEqual([]);
});

test("a model change in a turn is held back while 2.1.197 has steered messages that it has not completed", async () => {
  const session = await inTurn("2.1.197");
  session.message("second", { message_id: SECOND, delivery: "steer" });
  choose(session);
  expect(await session.writtenBy(resultLine())).toEqual([]);
  await session.say(initLine({ claude_code_version: "2.1.197" }));
  const written = await session.writtenBy(resultLine());
  expect(written).toMatchObject([{ request: MODEL }]);
});

test("a model change in a turn is sent once with the last model when the model changes twice", async () => {
  const session = await inTurn("2.1.197");
  choose(session);
  choose(session, null);
  const written = await session.writtenBy(resultLine());
  expect(written).toMatchObject([{ request: { subtype: "set_model", model: null } }]);
  session.message("second");
  expect(session.lastWrite).toMatchObject({ type: "user" });
});

test("a model change in a turn emits an error when Claude rejects it after the turn", async () => {
  const session = await inTurn("2.1.197");
  choose(session);
  await session.say(resultLine());
  await session.answerTo("set_model", { subtype: "error", error: "no such model" });
  expect(session.of("error")).toMatchObject([{ code: "control_rejected" }]);
  expect(session.last?.["message"]).toContain("no such model");
  expect(session.of("control_result")).toHaveLength(1);
});

test("a model change in a turn is a start flag of the next process when Claude exits before it was sent", async () => {
  const session = await inTurn("2.1.197");
  choose(session);
  await session.crash();
  await session.restart("second");
  expect(session.flags).toContain("--model=haiku");
  expect(session.sentTexts).toEqual(["second"]);
});

test("apply_flag_settings with a model in a turn sends the other settings at once and the model after the turn", async () => {
  const session = await inTurn("2.1.197");
  const settings = { model: "haiku", effortLevel: "low" };
  const written = await session.writtenBy(() => setFlags(session, settings));
  expect(written).toMatchObject([{ request: { settings: { effortLevel: "low" } } }]);
  expect(JSON.stringify(written)).not.toContain("haiku");
  await session.answerTo("apply_flag_settings");
  expect(session.of("control_result")).toMatchObject([{ ok: true, in_reply_to: "flags" }]);
  expect(session.of("model_changed")).toMatchObject([{ model: "haiku", source: "host" }]);
  expect(await session.writtenBy(resultLine())).toMatchObject([{ request: MODEL }]);
});

test("apply_flag_settings with a model in a turn does not send the model when Claude rejects the settings", async () => {
  const session = await inTurn("2.1.197");
  setFlags(session, { model: "haiku" });
  await session.answerTo("apply_flag_settings", { subtype: "error", error: "no" });
  expect(await session.writtenBy(resultLine())).toEqual([]);
});

test("apply_flag_settings with a model in a turn is sent to 2.1.330 unchanged", async () => {
  const session = await inTurn("2.1.330");
  const written = await session.writtenBy(() => setFlags(session, { model: "haiku" }));
  expect(written).toMatchObject([{ request: { settings: { model: "haiku" } } }]);
});

test("apply_flag_settings with a model in a turn is reported once, as the choice of the host, although Claude reports a longer name", async () => {
  const session = await inTurn("2.1.330");
  setFlags(session, { model: "haiku" });
  const emitted = await session.emittedBy(() => session.answerTo("apply_flag_settings"));
  expect(emitted).toMatchObject([
    { type: "control_result", ok: true, in_reply_to: "flags" },
    { type: "model_changed", model: "haiku", source: "host" },
  ]);
  await session.say(resultLine(), initLine({ model: "claude-haiku-4-5" }));
  expect(session.of("model_changed")).toHaveLength(1);
});
