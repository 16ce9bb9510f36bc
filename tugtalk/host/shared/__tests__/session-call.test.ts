/** The answer to another host whose command has failed at this one. */
import { expect, test } from "bun:test";
import { DamagedSessionError, UnreachableJournalError } from "../../journal/journal-error.ts";
import { replyOf } from "../session-call.ts";

test.each([
  ["the database is away", new UnreachableJournalError("away"), 503, "database_away"],
  ["the session is damaged", new DamagedSessionError("s"), 500, "session_damaged"],
  ["something else has failed", new Error("secret"), 500, "internal_error"],
] as const)("where %s, the client of another host hears so", async (_, error, status, code) => {
  const reports: unknown[] = [];
  const reply = await replyOf(
    () => Promise.reject(error),
    (thrown) => reports.push(thrown),
  );
  expect(reply).toMatchObject({ refusal: { status, code } });
  expect(JSON.stringify(reply)).not.toContain("secret");
  expect(reports).toEqual([error]);
});
