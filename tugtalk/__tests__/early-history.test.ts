/** Past conversations that are asked for before `protocol_init`, and the folder that it names. */
import { afterAll, expect, test } from "bun:test";
import { basename, dirname } from "node:path";
import { startBridge, type TestBridge } from "../testing/drivers/bridge-process.ts";
import { openPastSessions } from "../testing/drivers/past-sessions.ts";
import { observe } from "../testing/observer/observer.ts";

const past = openPastSessions();
afterAll(past.remove);
const session_id = past.place("2.1.330/sub_tools");
const env = { CLAUDE_CONFIG_DIR: past.configDir };

async function ended(bridge: TestBridge): Promise<readonly string[]> {
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  const { received, sentIds } = bridge;
  expect(observe({ received, sentIds, isOver: true })).toEqual([]);
  return received.map(({ type }) => type);
}

test("a host that only asks for past conversations gets them, and no Claude is started", async () => {
  const bridge = startBridge({ env });
  const dir = past.project;
  bridge.send({ type: "session_list", dir, id: "list" });
  bridge.send({ type: "session_history", dir, session_id, limit: 1, id: "history" });
  bridge.send({ type: "session_list", dir: `${dir}/missing`, id: "missing" });
  const list = await bridge.next("session_list_result");
  expect(list).toMatchObject({ in_reply_to: "list", sessions: [{ session_id }] });
  const history = await bridge.next("session_history_result");
  expect(history).toMatchObject({ in_reply_to: "history", session_id, skipped_lines: 0 });
  expect(history["messages"]).not.toEqual([]);
  expect(await bridge.next("error")).toMatchObject({
    in_reply_to: "missing",
    reason: "missing_directory",
    recoverable: true,
  });
  expect(await ended(bridge)).toEqual(["session_list_result", "session_history_result", "error"]);
});

test("without a folder the conversations of the bridge's own are listed", async () => {
  const bridge = startBridge({ env, args: [`--dir=${past.project}`] });
  bridge.send({ type: "session_list", id: "list" });
  expect(await bridge.next("session_list_result")).toMatchObject({ sessions: [{ session_id }] });
  await ended(bridge);
});

test("the conversations of all folders are listed for a host that asks for them", async () => {
  const bridge = startBridge({ env, args: ["--dir=/"] });
  bridge.send({ type: "session_list", id: "here" });
  expect(await bridge.next("session_list_result")).toMatchObject({ sessions: [] });
  bridge.send({ type: "session_list", all_folders: true, id: "all" });
  expect(await bridge.next("session_list_result")).toMatchObject({
    in_reply_to: "all",
    sessions: [{ session_id }],
  });
  bridge.send({ type: "session_list", all_folders: true, dir: past.project, id: "both" });
  expect(await bridge.next("error")).toMatchObject({ code: "bad_message", in_reply_to: "both" });
  await ended(bridge);
});

test("the folder of protocol_init replaces the folder of the flag for Claude and for its conversations", async () => {
  const cwd = dirname(past.project);
  const bridge = startBridge({ env, cwd, args: ["--dir=/"] });
  const dir = basename(past.project);
  bridge.send({ type: "protocol_init", version: 2, dir, session: { mode: "continue" } });
  expect(await bridge.next("session_init")).toMatchObject({ session_id, mode: "continue" });
  bridge.send({ type: "user_message", text: "where?" });
  expect(await bridge.next("system_metadata")).toMatchObject({ cwd: past.project });
  bridge.send({ type: "session_list", id: "list" });
  expect(await bridge.next("session_list_result")).toMatchObject({ sessions: [{ session_id }] });
  await ended(bridge);
});

test.each(["", "/work\0"])("the folder %j of a message is refused by name", async (dir) => {
  const bridge = startBridge({ env });
  for (const type of ["session_list", "protocol_init"]) {
    bridge.send({ type, version: 2, dir, id: type });
    const error = await bridge.next("error");
    expect(error).toMatchObject({ code: "bad_message", in_reply_to: type });
    expect(error["message"]).toStartWith("dir: ");
  }
  await ended(bridge);
});
