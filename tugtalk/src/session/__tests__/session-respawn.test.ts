/** What the next process is started with: all that was in force. */
import { describe, expect, test } from "bun:test";
import {
  assistantLine,
  commandOutputLine,
  initLine,
  promptLine,
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

/** How the conversation in hand comes to its next process. */
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

type Row = readonly [name: string, change: Change, flags: readonly string[]];

const OPTIONS = { add_dirs: ["/first"], max_thinking_tokens: 1000, effort: "high" };
const AT_START = ["--add-dir=/first", "--effort=high", "--max-thinking-tokens=1000"];

const ROWS: readonly Row[] = [
  ["nothing changed", () => {}, AT_START],
  [
    "the mode",
    async (session) => {
      session.session.handlePermissionMode({ type: "permission_mode", mode: "plan" });
      await answerTo(session, "set_permission_mode");
    },
    ["--permission-mode=plan", ...AT_START],
  ],
  [
    "the model",
    async (session) => {
      session.session.handleModelChange({ type: "model_change", model: "haiku" });
      await answerTo(session, "set_model");
    },
    ["--model=haiku", ...AT_START],
  ],
  [
    "the model, set as a setting",
    (session) => control(session, "apply_flag_settings", { settings: { model: "haiku" } }),
    ["--model=haiku", ...AT_START],
  ],
  [
    "the newer of two choices of the model",
    async (session) => {
      await control(session, "apply_flag_settings", { settings: { model: "haiku" } });
      session.session.handleModelChange({ type: "model_change", model: "opus" });
      await answerTo(session, "set_model");
    },
    ["--model=opus", ...AT_START],
  ],
  [
    "thinking",
    (session) => control(session, "set_max_thinking_tokens", { max_thinking_tokens: 0 }),
    ["--add-dir=/first", "--effort=high", "--max-thinking-tokens=0"],
  ],
  [
    "thinking back to Claude's own",
    (session) => control(session, "set_max_thinking_tokens", { max_thinking_tokens: null }),
    ["--add-dir=/first", "--effort=high"],
  ],
  [
    "how thoughts are shown",
    (session) => control(session, "set_max_thinking_tokens", { thinking_display: "omitted" }),
    AT_START,
  ],
  [
    "the effort",
    (session) => control(session, "apply_flag_settings", { settings: { effortLevel: "low" } }),
    ["--add-dir=/first", "--effort=low", "--max-thinking-tokens=1000"],
  ],
  [
    "the effort back to Claude's own",
    (session) => control(session, "apply_flag_settings", { settings: { effortLevel: null } }),
    ["--add-dir=/first", "--max-thinking-tokens=1000"],
  ],
  [
    "the effort, set with a command",
    (session) =>
      session
        .claude()
        .say(commandOutputLine("Set effort level to low (this session only): Quick words")),
    ["--add-dir=/first", "--effort=low", "--max-thinking-tokens=1000"],
  ],
  [
    "the effort that the model only speaks of",
    (session) =>
      session
        .claude()
        .say(assistantLine("m", textBlock("Set effort level to low (this session only)"))),
    AT_START,
  ],
  [
    "a folder that was added for the session",
    (session) => approve(session, "addDirectories"),
    ["--add-dir=/first", "--add-dir=/more", "--effort=high", "--max-thinking-tokens=1000"],
  ],
  [
    "a folder that was added and removed",
    async (session) => {
      await approve(session, "addDirectories");
      await approve(session, "removeDirectories");
    },
    AT_START,
  ],
  [
    "a folder that Claude keeps in its own settings",
    (session) => approve(session, "addDirectories", "userSettings"),
    AT_START,
  ],
  [
    "a folder beside a refusal",
    (session) => approve(session, "addDirectories", "session", "deny"),
    AT_START,
  ],
];

describe.each([...RESPAWNS])("after %s the next process has", (_respawn, respawn) => {
  test.each([...ROWS])("%s", async (_name, change, flags) => {
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

describe("settings that have no flag", () => {
  test("are asked for again, all of them, before the first message", async () => {
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

  test("that the next process refuses are told to be in force no more", async () => {
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

  test("are not asked for where none were changed, or where Claude refused", async () => {
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
