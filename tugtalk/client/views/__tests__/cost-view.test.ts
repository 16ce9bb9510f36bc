/** The costs of a session, filled from a captured conversation. */
import { expect, test } from "bun:test";
import { reduceCapture } from "../../../testing/captures/reduced-capture.ts";
import { viewCost } from "../cost-view.ts";

test("the cost display has the session, the latest turn and each model", async () => {
  const view = viewCost(await reduceCapture("2.1.330/multi_turn"));
  expect(view).toEqual({
    totalCostUsd: 0.01416,
    perTurnDelta: 0.00354,
    durationMs: 39,
    apiDurationMs: 118,
    modelUsage: [
      {
        model: "claude-opus-5-5",
        costUsd: 0.01416,
        inputTokens: 400,
        outputTokens: 168,
        cacheReadTokens: 6000,
        cacheCreationTokens: 1600,
      },
    ],
  });
});
