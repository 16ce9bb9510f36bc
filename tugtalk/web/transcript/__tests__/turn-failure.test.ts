/** Which turns can be tried again, and which need a login. */
import { expect, test } from "bun:test";
import type { Turn } from "../../../client/transcript-models.ts";
import { isFailed, isLoggedOut } from "../turn-failure.ts";
import { TURN, textItem } from "./support/sample-turn.ts";

test.each<[Turn["status"], string, boolean]>([
  ["error", "error_during_execution", true],
  ["cancelled", "exited", true],
  ["cancelled", "stalled", true],
  ["cancelled", "interrupted", false],
  ["success", "success", false],
  ["unknown", "", false],
])("a turn that ended with %p (%p) has failed: %p", (status, subtype, isWanted) => {
  expect(isFailed({ ...TURN, status, end: { subtype, isError: true } })).toBe(isWanted);
});

test("a login is missing where the API says so by status or name, and not where a text does", () => {
  const end = { subtype: "success", isError: true };
  const words = textItem("401 authentication_failed: please run /login");
  expect(isLoggedOut({ ...TURN, end, items: [words] })).toBe(false);
  expect(isLoggedOut({ ...TURN, end: { ...end, apiErrorStatus: 401 } })).toBe(true);
  // Without any login there is no call, and no status of it.
  const named = { ...textItem("It failed."), error: "authentication_failed" };
  expect(isLoggedOut({ ...TURN, end, items: [named] })).toBe(true);
});
