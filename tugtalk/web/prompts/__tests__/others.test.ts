import { expect, test } from "bun:test";
import type { PendingPrompt } from "../../../client/host-api.ts";
import { EMPTY_BOARD, reduceBoard } from "../../store/board-state.ts";
import { othersPending } from "../others.ts";

function pending(sessionId: string, requestId: string, createdAt: number): PendingPrompt {
  const fields = { sessionId, stageId: sessionId, requestId, createdAt };
  return requestId.startsWith("question")
    ? { ...fields, type: "question", toolName: "AskUserQuestion", questions: [], input: {} }
    : { ...fields, type: "approval", toolName: "Bash", input: {}, suggestions: [] };
}

test("what other sessions ask is sorted by kind and age", () => {
  const all = [
    pending("b", "question", 1),
    pending("c", "late", 5),
    pending("b", "early", 2),
    pending("a", "own", 3),
  ];
  const others = othersPending({ pending: all }, "a");
  expect(others.map(({ requestId }) => requestId)).toEqual(["early", "late", "question"]);
  expect(othersPending({ pending: all }, undefined)).toHaveLength(4);
});

test("two sessions may have prompts of the same id", () => {
  const requests = ["a", "b"].map((sessionId) => {
    const { type: _type, ...d } = pending(sessionId, "same", 1);
    return { s: sessionId, t: "approval-requested", d };
  });
  const asked = requests.reduce(reduceBoard, EMPTY_BOARD);
  expect(asked.pending.map(({ sessionId }) => sessionId)).toEqual(["a", "b"]);
  const d = { sessionId: "a", stageId: "a", requestId: "same", decision: "allow", at: 2 };
  const { pending: left } = reduceBoard(asked, { s: "a", t: "approval-resolved", d });
  expect(left.map(({ sessionId }) => sessionId)).toEqual(["b"]);
});
