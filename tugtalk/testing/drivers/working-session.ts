/** A session in the middle of a turn. */
import type { Fields } from "../../src/base/json.ts";
import type { TestSessionOptions } from "./session-records.ts";
import { initLine } from "./test-lines.ts";
import { startSession, type TestSession } from "./test-session.ts";

const idOf = (n: number) => `11111111-2222-4333-8444-00000000000${n}`;

/** The message that Claude works at. */
export const FIRST = idOf(1);

/** Ids of further messages. */
export const [SECOND, THIRD, FOURTH] = [idOf(2), idOf(3), idOf(4)];

/** A session whose Claude works at `FIRST`. */
export async function working(
  options: TestSessionOptions = {},
  init = initLine(),
): Promise<TestSession> {
  const session = await startSession(options);
  session.message("first", { message_id: FIRST });
  await session.say(init);
  return session;
}

/** The same, and Claude has printed these lines. */
export async function inTurn(...lines: readonly Fields[]): Promise<TestSession> {
  const session = await working();
  await session.say(...lines);
  return session;
}
