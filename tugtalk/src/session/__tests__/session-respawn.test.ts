/** The flags and settings of the next process: those that were current. */
import { describe, expect, test } from "bun:test";
import {
  assistantLine,
  commandOutputLine,
  echoLine,
  initLine,
  promptLine,
  resultLine,
  textBlock,
} from "../../../testing/drivers/claude-lines.ts";
import {
  answerTo,
  emittedOf,
  requestOf,
  sayAsHost,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";

type Change = (session: TestSession) => unknown;

async function control(
  session: TestSession,
  subtype: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  session.session.handleControl({ type: "control", subtype, ...fields });
  await answerTo(session, subtype);
}

async function approve(
  session: TestSession,
  type: "addDirectories" | "removeDirectories",
  destination: "session" | "userSettings" = "session",
  decision: "allow" | "deny" = "allow",
): Promise<void> {
  const request_id = crypto.randomUUID();
  await session.claude().say(promptLine(request_id));
  session.session.handleToolApproval({
    type: "tool_approval",
    request_id,
    decision,
    updatedPermissions: [{ type, destination, directories: ["/more"] }],
  });
}

/** The ways to the next process of the current conversation. */
const RESPAWNS: readonly (readonly [name: string, respawn: Change])[] = [
  [
    "a crash",
    async (session) => {
      await session.claude().exit({ exitCode: null, signal: "SIGKILL" });
      sayAsHost(session, "go on");
    },
  ],
  [
    "a fork",
    async (session) => {
      session.session.handleSessionFork();
      await session.settle();
      await session.claude().exit();
    },
  ],
  [
    "a new session",
    async (session) => {
      session.session.handleNewSession();
      await session.settle();
      await session.claude().exit();
    },
  ],
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
      session.session.handlePermissionMode({ type: "permission_mode", mode: "plan" });
      await answerTo(session, "set_permission_mode");
    },
    ["--permission-mode=plan", ...AT_START],
  ],
  [
    "a changed model",
    async (session) => {
      session.session.handleModelChange({ type: "model_change", model: "haiku" });
      await answerTo(session, "set_model");
    },
    ["--model=haiku", ...AT_START],
  ],
  [
    "a model that was set by apply_flag_settings",
    (session) => control(session, "apply_flag_settings", { settings: { model: "haiku" } }),
    ["--model=haiku", ...AT_START],
  ],
  [
    "the newer of two changed models",
    async (session) => {
      await control(session, "apply_flag_settings", { settings: { model: "haiku" } });
      session.session.handleModelChange({ type: "model_change", model: "opus" });
      await answerTo(session, "set_model");
    },
    ["--model=opus", ...AT_START],
  ],
  [
    "changed thinking tokens",
    (session) => control(session, "set_max_thinking_tokens", { max_thinking_tokens: 0 }),
    ["--add-dir=/first", "--effort=high", "--max-thinking-tokens=0"],
  ],
  [
    "no thinking tokens after they were reset",
    (session) => control(session, "set_max_thinking_tokens", { max_thinking_tokens: null }),
    ["--add-dir=/first", "--effort=high"],
  ],
  [
    "the same thinking tokens after a changed display",
    (session) => control(session, "set_max_thinking_tokens", { thinking_display: "omitted" }),
    AT_START,
  ],
  [
    "a changed effort",
    (session) => control(session, "apply_flag_settings", { settings: { effortLevel: "low" } }),
    ["--add-dir=/first", "--effort=low", "--max-thinking-tokens=1000"],
  ],
  [
    "no effort after it was reset",
    (session) => control(session, "apply_flag_settings", { settings: { effortLevel: null } }),
    ["--add-dir=/first", "--max-thinking-tokens=1000"],
  ],
  [
    "an effort that was set by a slash command",
    async (session) => {
      await session.claude().say(resultLine());
      sayAsHost(session, "/effort low");
      await session.claude().say(initLine({ permissionMode: undefined }));
      await session.claude().say(commandOutputLine(EFFORT));
    },
    ["--add-dir=/first", "--effort=low", "--max-thinking-tokens=1000"],
  ],
  [
    "the same effort after the output of a command that the host did not send",
    (session) => session.claude().say(commandOutputLine(EFFORT)),
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
        await session.claude().say({ ...echoLine("u", QUOTED), isReplay: undefined, ...fields });
    },
    AT_START,
  ],
  [
    "the same effort after assistant text about an effort",
    (session) =>
      session
        .claude()
        .say(assistantLine("m", textBlock("Set effort level to low (this session only)"))),
    AT_START,
  ],
  [
    "a directory that was added for the session",
    (session) => approve(session, "addDirectories"),
    ["--add-dir=/first", "--add-dir=/more", "--effort=high", "--max-thinking-tokens=1000"],
  ],
  [
    "no directory that was added and removed",
    async (session) => {
      await approve(session, "addDirectories");
      await approve(session, "removeDirectories");
    },
    AT_START,
  ],
  [
    "no directory that Claude keeps in its own settings",
    (session) => approve(session, "addDirectories", "userSettings"),
    AT_START,
  ],
  [
    "no directory of a denied approval",
    (session) => approve(session, "addDirectories", "session", "deny"),
    AT_START,
  ],
];

describe.each([...RESPAWNS])("the flags of the next process after %s", (_respawn, respawn) => {
  test.each([...ROWS])("the flags of the next process include %s", async (_name, change, flags) => {
    const session = await startSession({ init: { options: OPTIONS } });
    sayAsHost(session, "begin");
    const { sessionId: session_id } = session.session;
    // The model and the mode of this line are those that Claude would report.
    await session.claude().say(initLine({ session_id, permissionMode: undefined }));
    await change(session);
    await respawn(session);
    await session.settle();
    expect(session.starts).toHaveLength(2);
    const [, ...set] = session.starts[1]?.filter((word) => /session|resume/.test(word)) ?? [];
    expect(session.starts[1]?.slice(7 + set.length)).toEqual([...flags]);
  });
});

describe("settings without a flag", () => {
  test("settings without a flag are all sent to the next process before the first message", async () => {
    const session = await startSession();
    await control(session, "apply_flag_settings", { settings: { agent: "a", verbose: true } });
    await control(session, "apply_flag_settings", { settings: { agent: null } });
    await session.claude().exit();
    sayAsHost(session, "go on");
    await session.settle();
    await session.initialize();
    expect(session.claude().writes).toMatchObject([
      { request: { subtype: "initialize" } },
      { request: { subtype: "apply_flag_settings", settings: { agent: null, verbose: true } } },
      { type: "user" },
    ]);
  });

  test("settings without a flag that the next process rejects are reported as an error", async () => {
    const session = await startSession();
    await control(session, "apply_flag_settings", { settings: { agent: "a" } });
    await session.claude().exit();
    sayAsHost(session, "go on");
    await session.settle();
    await session.initialize();
    const refusal = { subtype: "error", error: "no such agent" };
    await answerTo(session, "apply_flag_settings", refusal);
    const [error, ...more] = emittedOf(session, "error");
    expect(error).toMatchObject({ code: "control_rejected", recoverable: true });
    expect(error?.["message"]).toContain("no such agent");
    expect(more).toEqual([]);
  });

  test("settings without a flag are not sent again when Claude rejected them", async () => {
    const session = await startSession();
    session.session.handleControl({
      type: "control",
      subtype: "apply_flag_settings",
      settings: { agent: "a" },
    });
    await answerTo(session, "apply_flag_settings", { subtype: "error", error: "no" });
    await session.claude().exit();
    sayAsHost(session, "go on");
    await session.settle();
    await session.initialize();
    expect(session.claude().writes).toHaveLength(2);
    expect(requestOf(session, "initialize")).toBeDefined();
  });
});
