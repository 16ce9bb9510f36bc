/** The next process has the current flags and settings. */
import { describe, expect, test } from "bun:test";
import { textBlock } from "../../../simulator/stream-events.ts";
import {
  assistantLine,
  commandOutputLine,
  echoLine,
  initLine,
  promptLine,
  resultLine,
} from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import type { Fields } from "../../base/json.ts";

type Change = (session: TestSession) => unknown;

/** The host sends a request, and Claude accepts it. */
const control =
  (subtype: string, fields: Fields): Change =>
  (session) => {
    session.control(subtype, fields);
    return session.answerTo(subtype);
  };
const set = (settings: Fields) => control("apply_flag_settings", { settings });
const think = (fields: Fields) => control("set_max_thinking_tokens", fields);

/** The host answers a prompt, and adds or removes a directory. */
const directory =
  (
    type: "addDirectories" | "removeDirectories",
    destination: "session" | "userSettings" = "session",
    decision: "allow" | "deny" = "allow",
  ): Change =>
  async (session) => {
    const request_id = crypto.randomUUID();
    await session.say(promptLine(request_id));
    const update = { type, destination, directories: ["/more"] };
    session.approve({ request_id, decision, updatedPermissions: [update] });
  };

const chooseModel = async (session: TestSession, model: string) => {
  session.chooseModel(model);
  await session.answerTo("set_model");
};

/** The ways to the next process of the current conversation. */
const RESPAWNS: readonly (readonly [name: string, respawn: Change])[] = [
  [
    "a crash",
    async (session) => {
      await session.crash();
      session.message("go on");
    },
  ],
  ["a fork", (session) => session.change("fork")],
  ["a new session", (session) => session.change("new")],
];

const EFFORT = "Set effort level to low (this session only): Quick words";
const QUOTED = `<local-command-stdout>${EFFORT}</local-command-stdout>`;

type Row = readonly [name: string, change: Change, flags: readonly string[]];

const OPTIONS = { add_dirs: ["/first"], max_thinking_tokens: 1000, effort: "high" };
const AT_START = ["--add-dir=/first", "--effort=high", "--max-thinking-tokens=1000"];

const ROWS: readonly Row[] = [
  ["the options of the start when nothing changed", () => {}, AT_START],
  [
    "a changed mode",
    async (session) => {
      session.chooseMode("plan");
      await session.answerTo("set_permission_mode");
    },
    ["--permission-mode=plan", ...AT_START],
  ],
  ["a changed model", (session) => chooseModel(session, "haiku"), ["--model=haiku", ...AT_START]],
  [
    "a model that was set by apply_flag_settings",
    set({ model: "haiku" }),
    ["--model=haiku", ...AT_START],
  ],
  [
    "the newer of two changed models",
    async (session) => {
      await set({ model: "haiku" })(session);
      await chooseModel(session, "opus");
    },
    ["--model=opus", ...AT_START],
  ],
  [
    "changed thinking tokens",
    think({ max_thinking_tokens: 0 }),
    ["--add-dir=/first", "--effort=high", "--max-thinking-tokens=0"],
  ],
  [
    "no thinking tokens after they were reset",
    think({ max_thinking_tokens: null }),
    ["--add-dir=/first", "--effort=high"],
  ],
  [
    "the same thinking tokens after a changed display",
    think({ thinking_display: "omitted" }),
    AT_START,
  ],
  [
    "a changed effort",
    set({ effortLevel: "low" }),
    ["--add-dir=/first", "--effort=low", "--max-thinking-tokens=1000"],
  ],
  [
    "no effort after it was reset",
    set({ effortLevel: null }),
    ["--add-dir=/first", "--max-thinking-tokens=1000"],
  ],
  [
    "an effort that was set by a slash command",
    async (session) => {
      await session.say(resultLine());
      session.message("/effort low");
      await session.say(initLine({ permissionMode: undefined }), commandOutputLine(EFFORT));
    },
    ["--add-dir=/first", "--effort=low", "--max-thinking-tokens=1000"],
  ],
  [
    "the same effort after the output of a command that the host did not send",
    (session) => session.say(commandOutputLine(EFFORT)),
    AT_START,
  ],
  [
    "the same effort after an echo, a prompt of a subagent and a summary that quote such output",
    async (session) => {
      for (const fields of [
        { isReplay: true },
        { parent_tool_use_id: "t" },
        { isSynthetic: true },
        { isReplay: false, message: { role: "user", content: QUOTED } },
      ])
        await session.say({ ...echoLine("u", QUOTED), isReplay: undefined, ...fields });
    },
    AT_START,
  ],
  [
    "the same effort after assistant text about an effort",
    (session) =>
      session.say(assistantLine("m", textBlock("Set effort level to low (this session only)"))),
    AT_START,
  ],
  [
    "a directory that was added for the session",
    directory("addDirectories"),
    ["--add-dir=/first", "--add-dir=/more", "--effort=high", "--max-thinking-tokens=1000"],
  ],
  [
    "no directory that was added and removed",
    async (session) => {
      await directory("addDirectories")(session);
      await directory("removeDirectories")(session);
    },
    AT_START,
  ],
  [
    "no directory that Claude keeps in its own settings",
    directory("addDirectories", "userSettings"),
    AT_START,
  ],
  ["no directory of a denied approval", directory("addDirectories", "session", "deny"), AT_START],
];

describe.each([...RESPAWNS])("the flags of the next process after %s", (_respawn, respawn) => {
  test.each([...ROWS])("the flags of the next process include %s", async (_name, change, flags) => {
    const session = await startSession({ init: { options: OPTIONS } });
    session.message("begin");
    // This line has the model and the mode that Claude would report.
    await session.say(initLine({ session_id: session.id, permissionMode: undefined }));
    await change(session);
    await respawn(session);
    await session.settle();
    expect(session.starts).toHaveLength(2);
    const others = session.flags?.filter((word) => !/session|resume/.test(word));
    expect(others).toEqual([...flags]);
  });
});

test("settings without a flag are all sent to the next process before the first message", async () => {
  const session = await startSession();
  await set({ agent: "a", verbose: true })(session);
  await set({ agent: null })(session);
  await session.exit();
  await session.restart();
  expect(session.claude().writes).toMatchObject([
    { request: { subtype: "initialize" } },
    { request: { subtype: "apply_flag_settings", settings: { agent: null, verbose: true } } },
    { type: "user" },
  ]);
});

test("settings without a flag that the next process rejects are reported as an error", async () => {
  const session = await startSession();
  await set({ agent: "a" })(session);
  await session.exit();
  await session.restart();
  const refusal = { subtype: "error", error: "no such agent" };
  await session.answerTo("apply_flag_settings", refusal);
  const [error, ...more] = session.of("error");
  expect(error).toMatchObject({ code: "control_rejected", recoverable: true });
  expect(error?.["message"]).toContain("no such agent");
  expect(more).toEqual([]);
});

test("settings without a flag are not sent again when Claude rejected them", async () => {
  const session = await startSession();
  session.control("apply_flag_settings", { settings: { agent: "a" } });
  await session.answerTo("apply_flag_settings", { subtype: "error", error: "no" });
  await session.exit();
  await session.restart();
  expect(session.claude().writes).toHaveLength(2);
  expect(session.requestOf("initialize")).toBeDefined();
});
