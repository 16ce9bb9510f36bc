/** The words on a tool card. */
import { expect, test } from "bun:test";
import type { ToolItem, ToolPermission } from "../../../client/transcript-models.ts";
import { viewToolCall } from "../../../client/views/tool-view.ts";
import { foldLines } from "../folded.tsx";
import { receiptText } from "../receipt-text.ts";

const permission = (fields: Partial<ToolPermission>): ToolPermission => ({
  requestId: "1",
  outcome: "allow",
  ...fields,
});

const RECEIPTS: readonly (readonly [text: string, permission: ToolPermission])[] = [
  ["Allowed", permission({})],
  ["Allowed by Chrome", permission({ by: "Chrome" })],
  ["Denied by Chrome", permission({ outcome: "deny", by: "Chrome" })],
  ["Answered", permission({ outcome: "answered" })],
  ["Not answered: Claude took the question back", cancelled("withdrawn")],
  ["Not answered: the turn was stopped", cancelled("interrupted")],
  ["Not answered: nobody answered in time", cancelled("timeout")],
  ["Not answered: Claude ended", cancelled("exited")],
  ["Not answered: constructor", cancelled("constructor")],
  ["Not answered", permission({ outcome: "cancelled" })],
];

function cancelled(reason: string): ToolPermission {
  return permission({ outcome: "cancelled", reason });
}

for (const [text, given] of RECEIPTS)
  test(`the receipt of a prompt says "${text}"`, () => {
    expect(receiptText(given)).toBe(text);
  });

function summaryOf(name: string, input: Readonly<Record<string, unknown>>): string | undefined {
  const item: ToolItem = {
    kind: "tool",
    key: "1",
    toolUseId: "1",
    name,
    status: "running",
    input,
  };
  return viewToolCall(item).summary;
}

test("the line of a card has the text that says most about the call", () => {
  const todos = [
    { content: "Read", status: "completed" },
    { content: "Test", status: "in_progress", activeForm: "Testing" },
    { content: "Write", status: "pending" },
  ];
  expect(summaryOf("Bash", { command: "ls\npwd", description: "List" })).toBe("ls …");
  expect(summaryOf("Bash", { command: "ls\n" })).toBe("ls");
  expect(summaryOf("Read", { file_path: "/a.txt" })).toBe("/a.txt");
  expect(summaryOf("TodoWrite", { todos })).toBe("1 of 3 · Testing");
  expect(summaryOf("TaskCreate", { subject: "Test", description: "All" })).toBe("Test");
  expect(summaryOf("TaskUpdate", { taskId: "2", status: "in_progress" })).toBe("2 · in progress");
  expect(summaryOf("mcp__a__b", { deep: { a: 1 }, text: "plain" })).toBe("plain");
  expect(summaryOf("ExitPlanMode", { plan: "## Greet\n\n1. Say hello" })).toBe("Greet");
  expect(summaryOf("mcp__a__b", {})).toBeUndefined();
});

test("lines are folded where a button is shorter than the lines that it hides", () => {
  const lines = [1, 2, 3, 4, 5, 6, 7, 8];
  expect(foldLines(lines, { head: 2, tail: 1 })).toEqual({ head: [1, 2], hidden: 5, tail: [8] });
  expect(foldLines(lines, { head: 4, tail: 0 })).toEqual({
    head: [1, 2, 3, 4],
    hidden: 4,
    tail: [],
  });
  expect(foldLines(lines, { head: 4, tail: 1 })).toEqual({ head: lines, hidden: 0, tail: [] });
});
