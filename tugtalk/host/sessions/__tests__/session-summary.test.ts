import { expect, test } from "bun:test";
import { initialSession } from "../../../client/reduce-session.ts";
import { sessionRow } from "../../journal/__tests__/support/samples.ts";
import { withSummary } from "../session-summary.ts";

test("the cost of a session is a sum without digits that binary fractions make up", () => {
  const reduced = { ...initialSession, cost: { totalCostUsd: 0.1 + 0.2 } };
  expect(withSummary(sessionRow("s"), reduced, { entries: [], at: 1 }).summary.costUsd).toBe(0.3);
});
