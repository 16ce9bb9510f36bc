/** A model change in a turn, which some versions of Claude must not receive before the turn has ended (§2d). */
import { describe, expect, test } from "bun:test";
import { initLine, resultLine } from "../../../testing/drivers/claude-lines.ts";
import {
  answerTo,
  emittedBy,
  emittedOf,
  expectGuarantees,
  requestOf,
  sayAsHost,
  writtenBy,
} from "../../../testing/drivers/emitted-messages.ts";
import type { TestSession } from "../../../testing/drivers/test-session.ts";
import { working } from "../../../testing/drivers/working-session.ts";

const SECOND = "11111111-2222-4333-8444-000000000002";
const MODEL = { subtype: "set_model", model: "haiku" };

const inTurn = (claude_code_version: string) => working({}, initLine({ claude_code_version }));

const choose = (session: TestSession, model: string | null = "haiku") =>
  session.session.handleModelChange({ type: "model_change", id: "choose", model });

const setFlags = (session: TestSession, settings: Record<string, unknown>) =>
  session.session.handleControl({
    type: "control",
    id: "flags",
    subtype: "apply_flag_settings",
    settings,
  });

describe("model change in a turn", () => {
  test("a model change in a turn is accepted at once and sent to 2.1.197 after the turn, before the next message", async () => {
    const session = await inTurn("2.1.197");
    sayAsHost(session, "second", { message_id: SECOND });
    expect(await writtenBy(session, () => choose(session))).toEqual([]);
    expect(emittedOf(session, "control_result", "model_changed")).toMatchObject([
      { type: "control_result", subtype: "set_model", ok: true, in_reply_to: "choose" },
      { type: "model_changed", model: "haiku", source: "host" },
    ]);
    const written = await writtenBy(session, () => session.claude().say(resultLine()));
    expect(written).toMatchObject([{ request: MODEL }, { type: "user", uuid: SECOND }]);
    const emitted = await emittedBy(session, () => answerTo(session, "set_model"));
    expect(emitted).toEqual([]);
    expectGuarantees(session);
  });

  test("a model change in a turn is sent to 2.1.330 at once", async () => {
    const session = await inTurn("2.1.330");
    const written = await writtenBy(session, () => choose(session));
    expect(written).toMatchObject([{ request: MODEL }]);
    expect(emittedOf(session, "control_result")).toEqual([]);
  });

  test("a model change in a turn is sent to 2.1.197 at once when no turn is open", async () => {
    const session = await inTurn("2.1.197");
    await session.claude().say(resultLine());
    const written = await writtenBy(session, () => choose(session));
    expect(written).toMatchObject([{ request: MODEL }]);
    expect(emittedOf(session, "control_result")).toEqual([]);
  });

  test("a model change in a turn is held back while 2.1.197 has steered messages that it has not completed", async () => {
    const session = await inTurn("2.1.197");
    sayAsHost(session, "second", { message_id: SECOND, delivery: "steer" });
    choose(session);
    expect(await writtenBy(session, () => session.claude().say(resultLine()))).toEqual([]);
    await session.claude().say(initLine({ claude_code_version: "2.1.197" }));
    const written = await writtenBy(session, () => session.claude().say(resultLine()));
    expect(written).toMatchObject([{ request: MODEL }]);
  });

  test("a model change in a turn is sent once with the last model when the model changes twice", async () => {
    const session = await inTurn("2.1.197");
    choose(session);
    choose(session, null);
    const written = await writtenBy(session, () => session.claude().say(resultLine()));
    expect(written).toMatchObject([{ request: { subtype: "set_model", model: null } }]);
    sayAsHost(session, "second", { message_id: SECOND });
    expect(requestOf(session, "set_model")).toMatchObject({ request: { model: null } });
    expect(session.claude().writes.at(-1)).toMatchObject({ type: "user" });
  });

  test("a model change in a turn emits an error when Claude rejects it after the turn", async () => {
    const session = await inTurn("2.1.197");
    choose(session);
    await session.claude().say(resultLine());
    await answerTo(session, "set_model", { subtype: "error", error: "no such model" });
    expect(emittedOf(session, "error")).toMatchObject([
      { code: "control_rejected", message: expect.stringContaining("no such model") },
    ]);
    expect(emittedOf(session, "control_result")).toHaveLength(1);
  });

  test("a model change in a turn is a start flag of the next process when Claude exits before it was sent", async () => {
    const session = await inTurn("2.1.197");
    choose(session);
    await session.claude().exit({ exitCode: null, signal: "SIGKILL" });
    sayAsHost(session, "second", { message_id: SECOND });
    await session.settle();
    expect(session.starts.at(-1)).toContain("--model=haiku");
    await session.initialize();
    expect(session.claude().writes.at(-1)).toMatchObject({ type: "user", uuid: SECOND });
    expectGuarantees(session);
  });
});

describe("apply_flag_settings with a model in a turn", () => {
  test("apply_flag_settings with a model in a turn sends the other settings at once and the model after the turn", async () => {
    const session = await inTurn("2.1.197");
    const settings = { model: "haiku", effortLevel: "low" };
    const written = await writtenBy(session, () => setFlags(session, settings));
    expect(written).toMatchObject([{ request: { settings: { effortLevel: "low" } } }]);
    expect(JSON.stringify(written)).not.toContain("haiku");
    await answerTo(session, "apply_flag_settings");
    expect(emittedOf(session, "control_result")).toMatchObject([
      { ok: true, in_reply_to: "flags" },
    ]);
    expect(emittedOf(session, "model_changed")).toMatchObject([{ model: "haiku", source: "host" }]);
    const later = await writtenBy(session, () => session.claude().say(resultLine()));
    expect(later).toMatchObject([{ request: MODEL }]);
  });

  test("apply_flag_settings with a model in a turn does not send the model when Claude rejects the settings", async () => {
    const session = await inTurn("2.1.197");
    setFlags(session, { model: "haiku" });
    await answerTo(session, "apply_flag_settings", { subtype: "error", error: "no" });
    expect(await writtenBy(session, () => session.claude().say(resultLine()))).toEqual([]);
  });

  test("apply_flag_settings with a model in a turn is sent to 2.1.330 unchanged", async () => {
    const session = await inTurn("2.1.330");
    const written = await writtenBy(session, () => setFlags(session, { model: "haiku" }));
    expect(written).toMatchObject([{ request: { settings: { model: "haiku" } } }]);
  });

  test("apply_flag_settings with a model in a turn is reported once, as the choice of the host, although Claude reports a longer name", async () => {
    const session = await inTurn("2.1.330");
    setFlags(session, { model: "haiku" });
    const emitted = await emittedBy(session, () => answerTo(session, "apply_flag_settings"));
    expect(emitted).toMatchObject([
      { type: "control_result", ok: true, in_reply_to: "flags" },
      { type: "model_changed", model: "haiku", source: "host" },
    ]);
    await session.claude().say(resultLine());
    await session.claude().say(initLine({ model: "claude-haiku-4-5" }));
    expect(emittedOf(session, "model_changed")).toHaveLength(1);
  });
});
