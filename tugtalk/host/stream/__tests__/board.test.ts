/** The frames to one client that follows all sessions. */
import { expect, test } from "bun:test";
import { subscribeBoard } from "../board.ts";
import { FakeOutlet } from "./support/fake-outlet.ts";
import { FakeSessions } from "./support/stream-server.ts";

const MIB = 1024 * 1024;

test("a client without room gets the list anew once it has room, in place of the frames that it has missed", () => {
  const sessions = new FakeSessions();
  sessions.add("one");
  const outlet = new FakeOutlet(10);
  subscribeBoard(sessions, outlet);
  sessions.announce("one", "message_sent", {});
  sessions.add("two");
  sessions.announce("two", "session_changed", {});
  outlet.read(MIB);
  sessions.announce("two", "message_sent", {});
  expect(outlet.types).toEqual(["sessions", "sessions", "message_sent"]);
  expect(JSON.parse(outlet.frames[1]?.data ?? "")).toMatchObject({
    sessions: [{ id: "one" }, { id: "two" }],
  });
});

test("a client that had no room and missed nothing gets no second list", () => {
  const sessions = new FakeSessions();
  const outlet = new FakeOutlet(10);
  subscribeBoard(sessions, outlet);
  outlet.read(MIB);
  sessions.announce("one", "message_sent", {});
  expect(outlet.types).toEqual(["sessions", "message_sent"]);
});

test("a client that cannot be sent to ends alone, and the others get the same event", () => {
  const sessions = new FakeSessions();
  const broken = new FakeOutlet();
  const whole = new FakeOutlet();
  subscribeBoard(sessions, broken);
  subscribeBoard(sessions, whole);
  broken.isBroken = true;
  sessions.announce("one", "message_sent", {});
  expect(whole.types).toEqual(["sessions", "message_sent"]);
  expect(sessions.listeners).toBe(1);
});
