/** The summary of a session and the list of sessions, filled from captured conversations. */
import { expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { listSessions } from "../../../src/history/session-list.ts";
import { reduceCapture, reduceMessages } from "../../../testing/captures/reduced-capture.ts";
import { checkDraft } from "../../../testing/drivers/emitted-lines.ts";
import { openPastSessions } from "../../../testing/drivers/past-sessions.ts";
import { viewSession, viewSessions } from "../session-view.ts";

test("the session state has the open prompt and the calls of the open turn", async () => {
  const view = viewSession(
    await reduceCapture("2.1.330/perm_allow", ({ type }) => type === "control_request_forward"),
  );
  expect(view).toEqual({
    sessionId: "66a00d96-dd40-4a5e-af2f-98bcda2b4859",
    cumulativeCost: 0,
    pendingControlRequests: [
      expect.objectContaining({ kind: "permission", toolUseId: "toolu_01Mock0003" }),
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
  expect(view).toMatchObject({
    sessions: [
      { title: "please delegate", isCurrent: false, updatedAt: 1700000002000, gitBranch: "HEAD" },
      { title: "hello there", isCurrent: true, updatedAt: 1700000001000 },
      { title: "please delegate", isCurrent: false, updatedAt: 1700000000000 },
    ],
    currentSessionId: "626e4aad-e8a6-4442-9342-138e9518a8f2",
    supportsFork: true,
    supportsContinue: true,
  });
});

test("the session state has the text that is being written", async () => {
  const view = viewSession(
    await reduceCapture(
      "2.1.197/text",
      ({ type, status }) => type === "assistant_text" && status === "partial",
    ),
  );
  expect(view).toMatchObject({
    pendingControlRequests: [],
    activeContentBlocks: [{ msgId: "msg_01Mock0001", blockIndex: 0, kind: "text", text: "Hel" }],
  });
});
