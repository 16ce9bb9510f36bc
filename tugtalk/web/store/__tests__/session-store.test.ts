/** A session as its frames come. */
import { expect, test } from "bun:test";
import { initialSession } from "../../../client/reduce-session.ts";
import { SessionStore } from "../session-store.ts";
import { testTransport } from "./support/test-transport.ts";

test("a session is open once its snapshot is painted, and not by the verdict that comes before it", () => {
  const { transport, deliver } = testTransport();
  const session = new SessionStore(transport, "s", (run) => run());
  deliver({ s: "s", t: "resume", d: { result: "gap", from: 0 } });
  expect(session.phase.value).toBe("loading");
  const snapshot = { cursor: { epoch: 1, seq: 1 }, state: initialSession };
  deliver({ s: "s", t: "snapshot", d: snapshot });
  expect(session.phase.value).toBe("open");
});
