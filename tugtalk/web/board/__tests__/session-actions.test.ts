/** The actions that the page offers for a session. */
import { expect, test } from "bun:test";
import { sampleSession } from "../../store/__tests__/support/session-sample.ts";
import { sessionActions } from "../session-actions.ts";

const canMove = (session: Parameters<typeof sampleSession>[0]) =>
  sessionActions(sampleSession(session)).some(({ name }) => name === "move");

test("only a session whose conversation the host keeps can move, also from a machine that is out of reach", () => {
  expect(canMove({})).toBe(false);
  expect(canMove({ mirror: true })).toBe(true);
  expect(canMove({ mirror: true, unreachable: true, machine: "lost" })).toBe(true);
  expect(canMove({ mirror: true, archived_at: 1 })).toBe(false);
});
