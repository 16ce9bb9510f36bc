/**
 * The list that the calls of a turn make. The tests of the reducer check the effect of structured results.
 */
import { expect, test } from "bun:test";
import type { ToolItem } from "../../../client/transcript-models.ts";
import { checklistOf } from "../checklist.ts";

function called(name: string, input: ToolItem["input"], more: Partial<ToolItem> = {}): ToolItem {
  const key = crypto.randomUUID();
  return {
    kind: "tool",
    key,
    toolUseId: key,
    status: "done",
    name,
    ...(input && { input }),
    ...more,
  };
}

const result = (output: string): Partial<ToolItem> => ({ result: { output, isError: false } });

const MADE = called(
  "TaskCreate",
  { subject: "Read" },
  { structured: { task: { id: "7", subject: "Read" } } },
);

const namesOf = (calls: readonly ToolItem[], known: Parameters<typeof checklistOf>[1] = []) =>
  checklistOf(calls, known).map(({ id, subject, status }) => `${id} ${subject}: ${status}`);

test("a task has its name after a call that only has its number", () => {
  const begun = called(
    "TaskUpdate",
    { taskId: "7", status: "in_progress" },
    { structured: { success: true } },
  );
  expect(namesOf([MADE, begun])).toEqual(["7 Read: in_progress"]);
});

test("a task that an earlier turn has made has the name that the session knows", () => {
  const ended = called(
    "TaskUpdate",
    { taskId: "7", status: "completed" },
    { structured: { success: true } },
  );
  const known = [{ id: "7", subject: "Read", status: "completed", blockedBy: [] }];
  expect(namesOf([ended], known)).toEqual(["7 Read: completed"]);
  expect(namesOf([ended])).toEqual(["7 Task 7: completed"]);
});

test("the calls of an agent, which have no structured results, make a list too", () => {
  const made = called(
    "TaskCreate",
    { subject: "Count" },
    result("Task #3 created successfully: Count"),
  );
  const ended = called(
    "TaskUpdate",
    { taskId: "3", status: "completed" },
    result("Updated task #3 status"),
  );
  expect(namesOf([made, ended])).toEqual(["3 Count: completed"]);
});

test("a list that is written as a whole is there before its result, and a new one takes its place", () => {
  const todo = (content: string) => ({ content, status: "pending", activeForm: content });
  const written = called(
    "TodoWrite",
    { todos: [todo("Read"), todo("Write")] },
    { status: "running" },
  );
  expect(namesOf([written])).toEqual(["1 Read: pending", "2 Write: pending"]);
  expect(namesOf([written, called("TodoWrite", { todos: [todo("Test")] })])).toEqual([
    "1 Test: pending",
  ]);
});

test("a call that has no result yet changes nothing", () => {
  const open = called("TaskCreate", { subject: "Write" }, { status: "running" });
  expect(namesOf([MADE, open])).toEqual(["7 Read: pending"]);
});
