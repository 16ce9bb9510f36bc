/** The common behaviour of all transports, over the real door and streams of the reference host. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { nextTurn } from "../../../host/stream/__tests__/support/turns-of-the-loop.ts";
import { ALL_SESSIONS, type CommandError, type Transport } from "../transport.ts";
import { refusalOf } from "./support/refusal.ts";
import { SeenFrames, until } from "./support/seen-frames.ts";
import { CLIENT_NAME, TestHost, WAYS } from "./support/test-host.ts";

const host = new TestHost();
afterAll(() => host.stop());

describe.each(WAYS)("%s", (way) => {
  let transport: Transport;
  beforeEach(() => {
    transport = host.open(way);
  });
  afterEach(() => transport.close());

  test("a command is run with its fields and the client's name, and resolves with the body of the answer", async () => {
    const body = await transport.command("session", { id: "one" });
    expect(Object.entries(body)).toEqual([
      ["id", "one"],
      ["title", "One"],
    ]);
    expect(host.given.at(-1)).toEqual({
      name: "session",
      fields: { id: "one" },
      caller: { name: CLIENT_NAME },
    });
  });

  test("fields of the path, the query and the body reach the command", async () => {
    await transport.command("edit_queued", { id: "one", message_id: "a/b ?", message: "Hi" });
    expect(host.given.at(-1)?.fields).toEqual({ id: "one", message_id: "a/b ?", message: "Hi" });
    await transport.command("files", { id: "one", q: "src & lib" });
    expect(host.given.at(-1)?.fields).toEqual({ id: "one", q: "src & lib" });
    await transport.command("interrupt", { id: "one", include_background: undefined });
    expect(host.given.at(-1)?.fields).toEqual({ id: "one" });
  });

  test("the answer to a message says whether it waits", async () => {
    expect(await transport.command("message", { id: "one", message: "Hi" })).toMatchObject({
      status: "queued",
      position: 1,
    });
  });

  test("a refused command rejects with status, code, words and further fields", async () => {
    const { status, code, message, body } = await refusalOf(
      transport.command("approve", { id: "one", request_id: "r", decision: "allow" }),
    );
    expect({ status, code, message }).toEqual({
      status: 409,
      code: "already_resolved",
      message: "too late",
    });
    expect(body).toEqual({ error: "too late", code: "already_resolved", by: "phone" });
  });

  test("an answer that is a text has its type and the text", async () => {
    const { contentType, text } = await transport.command("export", { id: "one" });
    expect(String(contentType)).toStartWith("text/markdown");
    expect(text).toBe("# One");
  });

  test("a text that is JSON stays a text", async () => {
    const fields = { id: "one", format: "json" } as const;
    const { contentType, text } = await transport.command("export", fields);
    expect(String(contentType)).toStartWith("application/json");
    expect(text).toBe('{"entries":[]}');
  });

  test("a subscription without a cursor begins with a snapshot and goes on with the next frames", async () => {
    host.session.commit(1, 2);
    const { seq } = host.session.cursor();
    const seen = new SeenFrames();
    transport.subscribe("one", {}, seen.take);
    expect(seen.frames).toEqual([]);
    await seen.until(({ types }) => types.includes("snapshot"));
    host.session.commit(3);
    await seen.until(({ seqs }) => seqs.length === 1);
    expect(seen.types).toEqual(["resume", "snapshot", "text_delta"]);
    expect(seen.frames[0]).toMatchObject({ s: "one", t: "resume", d: { result: "gap" } });
    expect(seen.frames[2]).toEqual({
      s: "one",
      e: 1,
      q: seq + 1,
      t: "text_delta",
      d: { seq: seq + 1, text: "xxx" },
    });
  });

  test("a subscription from 0 plays all that is kept, and one with a cursor all that follows", async () => {
    host.session.commit(1, 1);
    const { seq } = host.session.cursor();
    const all = new SeenFrames();
    transport.subscribe("one", { after: 0 }, all.take);
    await all.until(({ seqs }) => seqs.at(-1) === seq);
    expect(all.seqs).toEqual(Array.from({ length: seq }, (_, index) => index + 1));
    const rest = new SeenFrames();
    transport.subscribe("one", { after: { epoch: 1, seq: seq - 1 } }, rest.take);
    await rest.until(({ seqs }) => seqs.length === 1);
    expect(rest.types).toEqual(["resume", "text_delta"]);
    expect(rest.frames[0]?.d).toEqual({ result: "ok", from: { epoch: 1, seq: seq - 1 } });
  });

  test("a second subscription to a session takes the place of the first", async () => {
    const first = new SeenFrames();
    const endFirst = transport.subscribe("one", {}, first.take);
    await first.until(({ types }) => types.includes("snapshot"));
    // Is on its way to the first one.
    host.session.commit(1);
    const second = new SeenFrames();
    transport.subscribe("one", {}, second.take);
    endFirst();
    await second.until(({ types }) => types.includes("snapshot"));
    host.session.commit(1);
    await second.until(({ seqs }) => seqs.length === 1);
    expect(second.types).toEqual(["resume", "snapshot", "text_delta"]);
    expect(first.types).toEqual(["resume", "snapshot"]);
  });

  test("an ended subscription gets no frame, and the host lets go of it", async () => {
    const seen = new SeenFrames();
    const end = transport.subscribe("one", {}, seen.take);
    await seen.until(({ types }) => types.includes("snapshot"));
    end();
    await until(() => host.session.listeners === 0);
    host.session.commit(1);
    await transport.command("session", { id: "one" });
    expect(seen.types).toEqual(["resume", "snapshot"]);
  });

  test("a subscription to an unknown session is refused once", async () => {
    const refused = Promise.withResolvers<CommandError>();
    const seen = new SeenFrames();
    transport.subscribe("two", { onRefused: refused.resolve }, seen.take);
    const { status, code } = await refused.promise;
    expect({ status, code }).toEqual({ status: 404, code: "unknown_session" });
    expect(seen.frames).toEqual([]);
  });

  test("a subscription while the database of the host is away begins when that is back", async () => {
    const refused = Promise.withResolvers<void>();
    host.isAway = true;
    host.onRefused = refused.resolve;
    const seen = new SeenFrames();
    transport.subscribe("one", { onRefused: () => seen.take({ t: "refused" }) }, seen.take);
    await refused.promise;
    host.isAway = false;
    await seen.until(({ frames }) => frames.length === 2);
    expect(seen.types).toEqual(["resume", "snapshot"]);
  });

  test("a subscription that was replaced gets no refusal", async () => {
    const refused: string[] = [];
    const last = Promise.withResolvers<CommandError>();
    transport.subscribe("two", { onRefused: () => refused.push("first") }, () => {});
    transport.subscribe("two", { onRefused: last.resolve }, () => {});
    await last.promise;
    expect(refused).toEqual([]);
  });

  test("the subscription to all sessions begins with their list", async () => {
    const seen = new SeenFrames();
    transport.subscribe(ALL_SESSIONS, {}, seen.take);
    await seen.until(({ frames }) => frames.length === 1);
    host.announce("approval-requested");
    await seen.until(({ frames }) => frames.length === 2);
    expect(seen.frames).toMatchObject([
      { s: "*", t: "sessions", d: { sessions: [], pending: [] } },
      { s: "*", t: "approval-requested", d: { sessionId: "one" } },
    ]);
  });

  test("a subscription to a session and one to all sessions each get their own frames, and both its deletion", async () => {
    const other = new TestHost();
    const both = other.open(way);
    const [one, all] = [new SeenFrames(), new SeenFrames()];
    both.subscribe("one", {}, one.take);
    both.subscribe(ALL_SESSIONS, {}, all.take);
    await all.until(({ frames }) => frames.length === 1);
    await one.until(({ types }) => types.includes("snapshot"));
    other.session.commit(1);
    await one.until(({ types }) => types.includes("text_delta"));
    // The host has nothing more to read for it.
    await both.command("session", { id: "one" });
    await nextTurn();
    const statuses: string[] = [];
    both.onStatus((status) => statuses.push(status));
    other.announce("message_queued");
    other.session.announce("session_deleted");
    other.announce("session_deleted");
    await one.until(({ types }) => types.includes("session_deleted"));
    await all.until(({ types }) => types.includes("session_deleted"));
    other.session.commit(1);
    await both.command("session", { id: "one" });
    expect(one.types).toEqual(["resume", "snapshot", "text_delta", "session_deleted"]);
    expect(all.types).toEqual(["sessions", "message_queued", "session_deleted"]);
    expect(statuses).toEqual([]);
    both.close();
    await other.stop();
  });

  test("a subscription whose session is deleted while it catches up is refused", async () => {
    const other = new TestHost();
    const both = other.open(way);
    const refused = Promise.withResolvers<CommandError>();
    other.session.commit(100_000, 100_000);
    const { session } = other;
    const read = session.entriesAfter.bind(session);
    session.entriesAfter = (...place) => {
      const entries = read(...place);
      other.isDeleted = true;
      session.delete();
      return entries;
    };
    both.subscribe("one", { after: 0, onRefused: refused.resolve }, () => {});
    expect((await refused.promise).status).toBe(404);
    both.close();
    await other.stop();
  });

  test("a closed transport rejects open and later commands, and its status is closed", async () => {
    const statuses: string[] = [];
    transport.onStatus((status) => statuses.push(status));
    const seen = new SeenFrames();
    transport.subscribe("one", {}, seen.take);
    await seen.until(({ types }) => types.includes("snapshot"));
    const before = host.given.length;
    const waiting = refusalOf(transport.command("health"));
    await until(() => host.given.length > before);
    transport.close();
    host.session.commit(1);
    expect((await waiting).code).toBe("closed");
    expect((await refusalOf(transport.command("sessions"))).code).toBe("closed");
    transport.subscribe("one", {}, seen.take)();
    expect(seen.types).toEqual(["resume", "snapshot"]);
    expect(transport.status).toBe("closed");
    expect(statuses.at(-1)).toBe("closed");
  });
});

test("where there is no WebSocket, as in Node 20, the transport says so and names the other one", () => {
  const { WebSocket } = globalThis;
  try {
    Reflect.deleteProperty(globalThis, "WebSocket");
    expect(() => host.open("web socket")).toThrow(/no WebSocket.*openHttpTransport/);
  } finally {
    Object.assign(globalThis, { WebSocket });
  }
});
