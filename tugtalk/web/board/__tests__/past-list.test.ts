/** Past conversations as pages of them arrive. */
import { expect, test } from "bun:test";
import { PastConversations } from "../past-list.ts";
import { scriptedTransport } from "./support/scripted-transport.ts";

function summary(id: string) {
  return { session_id: id, updated_at: "2026-11-22T10:00:00.000Z", title: `Title of ${id}` };
}

test("a folder is asked for page by page, and empty fields are left to the host", async () => {
  const transport = scriptedTransport();
  const past = new PastConversations(transport);
  const opened = past.open({ place: "", dir: "/work" });
  expect(transport.commands[0]).toMatchObject({ name: "history", fields: { dir: "/work" } });
  transport.commands[0]?.answer({ sessions: [summary("a")], next: "after-a" });
  await opened;
  expect(past.state.value).toBe("more");
  const more = past.more();
  expect(transport.commands[1]?.fields).toMatchObject({ dir: "/work", before: "after-a" });
  transport.commands[1]?.answer({ sessions: [summary("b")] });
  await more;
  expect(past.found.value.map(({ title }) => title)).toEqual(["Title of a", "Title of b"]);
  expect(past.state.value).toBe("whole");
});

test("an answer about a folder that nobody wants any more is left alone", async () => {
  const transport = scriptedTransport();
  const past = new PastConversations(transport);
  const opened = [past.open({ place: "", dir: "/old" }), past.open({ place: "", dir: "/new" })];
  transport.commands[1]?.answer({ sessions: [summary("new")] });
  transport.commands[0]?.answer({ sessions: [summary("old")], next: "after-old" });
  await Promise.all(opened);
  expect(past.found.value.map(({ id }) => id)).toEqual(["new"]);
  expect(past.state.value).toBe("whole");
});

test("a failure to read the conversations of a folder is shown until another folder is opened", async () => {
  const transport = scriptedTransport();
  const past = new PastConversations(transport);
  const opened = past.open({ place: "", dir: "/nowhere" });
  transport.commands[0]?.refuse(new Error("no such folder"));
  await opened;
  expect([past.state.value, past.failure.value]).toEqual(["failed", "no such folder"]);
  const again = past.open({ place: "build", dir: "" });
  expect(transport.commands[1]?.fields).toMatchObject({ place: "build" });
  transport.commands[1]?.answer({ sessions: [] });
  await again;
  expect(past.state.value).toBe("whole");
});
