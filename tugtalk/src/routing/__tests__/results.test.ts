/** The messages at the end of a turn: `cost_update`, then `turn_complete` (§3d, §10, §11). */
import { expect, test } from "bun:test";
import { captured, parsedAs } from "../../../testing/captures/captured-line.ts";
import type { Fields } from "../../base/json.ts";
import type { OutboundDraft } from "../../types.ts";
import { fromResult, type TurnView } from "../results.ts";

const VERSIONS = ["38", "330"] as const;
const TURN = { turn_id: "t", message_ids: ["m"], trigger: "user", isInterrupted: false } as const;

const INTERRUPTED = { ...TURN, isInterrupted: true };

/** The messages for a recorded result at the end of this turn. */
function meaningOf(line: Fields, turn?: TurnView) {
  return fromResult(parsedAs("result", line), turn);
}

type Ended = readonly [name: string, expected: Readonly<Record<string, unknown>>];

/** The name of each kind of end. Whether it is an error differs by version (§11d). */
const ENDS: readonly Ended[] = [
  [
    "result success 38",
    { result: "success", subtype: "success", is_error: false, text: "Hello world" },
  ],
  [
    "result success 330",
    {
      result: "success",
      subtype: "success",
      terminal_reason: "completed",
      stop_reason: "end_turn",
    },
  ],
  [
    "result interrupted 38",
    { result: "error", subtype: "error_during_execution", is_error: false },
  ],
  [
    "result interrupted 330",
    {
      result: "cancelled",
      subtype: "error_during_execution",
      terminal_reason: "aborted_streaming",
    },
  ],
  ["result max_turns 38", { result: "error", subtype: "error_max_turns", is_error: false }],
  ["result max_turns 330", { result: "error", subtype: "error_max_turns", is_error: true }],
  ["result max_budget 38", { result: "error", subtype: "error_max_budget_usd" }],
  ["result max_budget 330", { result: "error", subtype: "error_max_budget_usd" }],
  [
    "result max_structured_output_retries 38",
    { result: "error", subtype: "error_max_structured_output_retries" },
  ],
  [
    "result max_structured_output_retries 330",
    { result: "error", subtype: "error_max_structured_output_retries" },
  ],
  ["result api_400 38", { result: "error", subtype: "success", is_error: true }],
  [
    "result api_400 330",
    {
      result: "error",
      subtype: "success",
      is_error: true,
      api_error_status: 400,
      terminal_reason: "api_error",
    },
  ],
];

test.each([...ENDS])("%s emits cost_update, then turn_complete", (name, expected) => {
  const messages = meaningOf(captured(name), TURN);
  expect(messages).toMatchObject([
    { type: "cost_update", turn_id: "t" },
    { type: "turn_complete", turn_id: "t", message_ids: ["m"], trigger: "user", ...expected },
  ]);
  expect(JSON.stringify(messages)).not.toContain("ede_diagnostic");
});

test.each([...VERSIONS])(
  "an interrupted turn of %s is cancelled, with and without is_error",
  (version) => {
    const messages = meaningOf(captured(`result interrupted ${version}`), INTERRUPTED);
    expect(messages[1]).toMatchObject({ result: "cancelled", permission_denials: [] });
    expect(messages[1]).not.toHaveProperty("errors");
  },
);

test("a success that came before the interrupt stays a success", () => {
  const messages = meaningOf(captured("result success 330"), INTERRUPTED);
  expect(messages[1]).toMatchObject({ result: "success" });
});

test("cost_update has the numbers of the result, and only those that are known", () => {
  const line = captured("result success 38");
  const messages = meaningOf(line, TURN);
  expect(messages[0]).toEqual({
    type: "cost_update",
    turn_id: "t",
    total_cost_usd: 0.0048000000000000004,
    modelUsage: line["modelUsage"],
    duration_api_ms: 45,
    usage: line["usage"],
    num_turns: 1,
    duration_ms: 118,
  } as OutboundDraft);
});

test("permission denials and structured output are passed on", () => {
  const permission_denials = [{ tool_name: "Write", tool_use_id: "toolu_1", tool_input: {} }];
  const line = captured("result success 330", {
    permission_denials,
    structured_output: { a: [1] },
  });
  const messages = meaningOf(line, TURN);
  expect(messages[1]).toMatchObject({ permission_denials, structured_output: { a: [1] } });
});

test("a result without an open turn is an error that contains the text of the result", () => {
  const messages = meaningOf(captured("result api_400 38"));
  expect(messages).toMatchObject([{ type: "error", code: "internal", source: "claude" }]);
  expect(JSON.stringify(messages)).toContain("bad thing");
});
