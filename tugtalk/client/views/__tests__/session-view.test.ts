/** The summary of a session, its queue and the list of sessions, filled from captured conversations. */
import { expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { listSessions } from "../../../src/history/session-list.ts";
import {
  reduceCapture,
  reduceEmitted,
  reduceMessages,
} from "../../../testing/captures/reduced-capture.ts";
import { checkDraft } from "../../../testing/drivers/emitted-lines.ts";
import { sayAsHost } from "../../../testing/drivers/emitted-messages.ts";
import { openPastSessions } from "../../../testing/drivers/past-sessions.ts";
import { type Emitted, startSession } from "../../../testing/drivers/test-session.ts";
import { viewSession, viewSessions } from "../session-view.ts";

test("the session state has the open prompt and the calls of the open turn", async () => {
  const view = viewSession(
    await reduceCapture("2.1.330/perm_allow", ({ type }) => type === "control_request_forward"),
  );
  expect(view).toEqual({
    sessionId: "66a00d96-dd40-4a5e-af2f-98bcda2b4859",
    cumulativeCost: 0,
    pendingControlRequests: [
      {
        kind: "permission",
        requestId: "043110f2-df23-411e-88b7-b517c1c3ca6e",
        turnId: "00000000-0000-4000-8000-000000000002",
        toolUseId: "toolu_01Mock0003",
        toolName: "Write",
        input: { file_path: "/work/project/a.txt", content: "x\n" },
        permissionSuggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
        displayName: "Write",
        description: "a.txt",
      },
    ],
    activeContentBlocks: [],
    toolUseMap: { toolu_01Mock0003: "Write" },
    toolUseResultMap: {},
    taskList: { tasks: [] },
    mcpServers: [],
    currentModel: "claude-opus-5-5",
    permissionMode: "default",
  });
});

test("the session management has the past conversations, newest first", async () => {
  const past = openPastSessions();
  for (const [index, fixture] of [
    "2.1.38/sub_tools",
    "2.1.197/slash_cost",
    "2.1.330/sub_tools",
  ].entries()) {
    const id = past.place(fixture);
    utimesSync(join(past.folder, `${id}.jsonl`), index, 1_700_000_000 + index);
  }
  const listed = checkDraft(await listSessions(past.folder, {}));
  past.remove();
  const current = {
    type: "session_init",
    session_id: listed.sessions[1]?.session_id,
    mode: "resume",
  };
  const view = viewSessions(reduceMessages([listed, current]));
  expect(view).toEqual({
    sessions: [
      {
        sessionId: "c262a464-0d50-44b0-8a13-86deac1c8b42",
        title: "please delegate",
        isCurrent: false,
        updatedAt: 1700000002000,
        gitBranch: "HEAD",
      },
      {
        sessionId: "626e4aad-e8a6-4442-9342-138e9518a8f2",
        title: "hello there",
        isCurrent: true,
        updatedAt: 1700000001000,
        gitBranch: "HEAD",
      },
      {
        sessionId: "da30364c-6143-486e-9b29-9cf40312640a",
        title: "please delegate",
        isCurrent: false,
        updatedAt: 1700000000000,
        gitBranch: "HEAD",
      },
    ],
    currentSessionId: "626e4aad-e8a6-4442-9342-138e9518a8f2",
    supportsFork: true,
    supportsContinue: true,
  });
});

test("the queue has the messages that wait, in order", async () => {
  const session = await startSession();
  sayAsHost(session, "first", { message_id: "00000000-0000-4000-8000-0000000000a1" });
  sayAsHost(session, "second", { message_id: "00000000-0000-4000-8000-0000000000a2" });
  sayAsHost(session, "third", { message_id: "00000000-0000-4000-8000-0000000000a3" });
  await session.settle();
  const view = reduceEmitted(session.emitted).queue;
  expect(view).toEqual([
    { messageId: "00000000-0000-4000-8000-0000000000a2" },
    { messageId: "00000000-0000-4000-8000-0000000000a3" },
  ]);
});

test("the session state has the text that is being written", async () => {
  const view = viewSession(
    await reduceCapture(
      "2.1.197/text",
      ({ type, status }: Pick<Emitted, "type"> & { readonly status?: unknown }) =>
        type === "assistant_text" && status === "partial",
    ),
  );
  expect(view).toEqual({
    sessionId: "5a01d6b1-4944-4897-8b65-2722bd23da94",
    cumulativeCost: 0,
    pendingControlRequests: [],
    activeContentBlocks: [{ msgId: "msg_01Mock0001", blockIndex: 0, kind: "text", text: "Hel" }],
    toolUseMap: {},
    toolUseResultMap: {},
    taskList: { tasks: [] },
    mcpServers: [],
    currentModel: "claude-opus-4-8[1m]",
    permissionMode: "default",
  });
});
