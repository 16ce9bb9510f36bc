/** The turn's share of a total, and how full the context is (§12). */
import { expect, test } from "bun:test";
import { capturedMessage } from "../../../testing/captures/captured-line.ts";
import type { ResultMessage } from "../../protocol-types.ts";
import { CostTracker } from "../cost.ts";

/** A result with the total only, as old CLIs print it. */
const total = (total_cost_usd?: number): ResultMessage => ({
  type: "result",
  subtype: "success",
  is_error: false,
  ...(total_cost_usd !== undefined && { total_cost_usd }),
});

type Row = readonly [
  name: string,
  baseline: number | undefined,
  totals: readonly (number | undefined)[],
  shares: readonly (number | undefined)[],
];

const ROWS: readonly Row[] = [
  ["a new conversation starts at 0", 0, [0.5, 0.75], [0.5, 0.25]],
  ["a turn that cost nothing costs 0", 0, [0.5, 0.5], [0.5, 0]],
  ["the first share is not known without a baseline", undefined, [0.5, 0.75], [undefined, 0.25]],
  [
    "a total lower than before has started again with this turn",
    0,
    [0.5, 0.125, 0.25],
    [0.5, 0.125, 0.125],
  ],
  [
    "a result without a total leaves the baseline",
    0,
    [0.5, undefined, 0.75],
    [0.5, undefined, 0.25],
  ],
];

test.each([...ROWS])("%s", (_name, baseline, totals, shares) => {
  const cost = new CostTracker(baseline);
  expect(totals.map((usd) => cost.settle(total(usd)).turn_cost_usd)).toEqual([...shares]);
});

test("a reset starts the total at 0, also where it was not known", () => {
  const cost = new CostTracker(undefined);
  cost.reset();
  expect(cost.settle(total(0.25)).turn_cost_usd).toBe(0.25);
});

test("the usage since the last result, where Claude reports it, is the cost of the turn", () => {
  const cost = new CostTracker(undefined);
  expect(cost.settle(capturedMessage("result success 330", "result")).turn_cost_usd).toBe(0.00354);
  // The total is 0.0177; the turn before it is not among these lines.
  expect(cost.settle(capturedMessage("wake result", "result")).turn_cost_usd).toBe(0.00708);
});

test("the cost of a turn is the sum over its models (made up)", () => {
  const models = { one: { costUSD: 0.5 }, two: { costUSD: 0.25 }, three: {} };
  const result = { ...total(9), model_usage_since_last_result: models };
  expect(new CostTracker(0).settle(result).turn_cost_usd).toBe(0.75);
});

const usage = {
  input_tokens: 100,
  cache_creation_input_tokens: 400,
  cache_read_input_tokens: 1500,
  output_tokens: 42,
};

test("a result before any model call has no context", () => {
  expect(
    new CostTracker(0).settle(capturedMessage("result success 330", "result")),
  ).not.toHaveProperty("context");
});

test.each([
  ["330", "message_start", "claude-opus-5-5"],
  ["197", "message_start 197", "claude-opus-4-8"],
])(
  "the context is the usage at the start of the last call, and the window of its model (%s)",
  (version, start, model) => {
    const { event } = capturedMessage(start, "stream_event");
    if (event.type !== "message_start") throw new Error("not a start");
    const cost = new CostTracker(0);
    cost.startCall(event.message.model, event.message.usage);
    const { context } = cost.settle(capturedMessage(`result success ${version}`, "result"));
    expect(context).toEqual({ model, used_tokens: 2000, window_tokens: 1_000_000 });
  },
);

test("the context of a model that the result does not name has no window", () => {
  const cost = new CostTracker(0);
  cost.startCall("another", usage);
  const { context } = cost.settle(capturedMessage("result success 330", "result"));
  expect(context).toEqual({ model: "another", used_tokens: 2000 });
});

test("a result after a reset has no context", () => {
  const cost = new CostTracker(0);
  cost.startCall("m", usage);
  cost.reset();
  expect(cost.settle(total(0))).not.toHaveProperty("context");
});

test("token counts that are missing in the usage count as 0", () => {
  const cost = new CostTracker(0);
  cost.startCall(undefined, { input_tokens: 7, cache_read_input_tokens: null });
  expect(cost.settle(total(0)).context).toEqual({ used_tokens: 7 });
});
