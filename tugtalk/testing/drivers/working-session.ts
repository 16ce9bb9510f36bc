/** A session in the middle of a turn. */
import { initLine } from "./claude-lines.ts";
import { sayAsHost } from "./emitted-messages.ts";
import { startSession, type TestSession, type TestSessionOptions } from "./test-session.ts";

/** The message that Claude works at. */
export const FIRST = "11111111-2222-4333-8444-000000000001";

/** A session whose Claude works at `FIRST`. */
export async function working(
  options: TestSessionOptions = {},
  init = initLine(),
): Promise<TestSession> {
  const session = await startSession(options);
  sayAsHost(session, "first", { message_id: FIRST });
  await session.claude().say(init);
  return session;
}

/** Claude prints these lines. */
export async function say(
  session: TestSession,
  ...lines: readonly Readonly<Record<string, unknown>>[]
): Promise<void> {
  for (const line of lines) await session.claude().say(line);
}
