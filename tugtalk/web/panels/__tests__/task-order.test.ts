/** Tasks in the order in which a person looks at them. */
import { expect, test } from "bun:test";
import type { TaskItem } from "../../../client/reduced-session.ts";
import { inOrder, taskSummary } from "../task-order.ts";

const task = (id: string, status: string, more: Partial<TaskItem> = {}): TaskItem => ({
  id,
  subject: `Task ${id}`,
  status,
  blockedBy: [],
  ...more,
});

const TASKS = [
  task("1", "completed"),
  task("2", "pending"),
  task("3", "blocked"),
  task("4", "in_progress", { activeForm: "Running tests" }),
  task("5", "pending"),
];

test("the active task comes first, and finished tasks come last", () => {
  expect(inOrder(TASKS).map(({ id }) => id)).toEqual(["4", "2", "5", "3", "1"]);
});

/** Tasks, and how many run in the background. */
const SUMMARIES: readonly (readonly [text: string | undefined, TaskItem[], number])[] = [
  ["1 of 5 · Running tests", TASKS, 0],
  ["1 of 5 · Running tests · 2 in the background", TASKS, 2],
  ["0 of 1 · Task 1", [task("1", "in_progress")], 0],
  ["0 of 1", [task("1", "pending")], 0],
  ["1 in the background", [task("1", "completed")], 1],
  [undefined, [task("1", "completed")], 0],
  [undefined, [], 0],
];

test("while Claude is not at work, the line has the name of a task and not its activity", () => {
  expect(taskSummary(TASKS, 0, false)).toBe("1 of 5 · Task 4");
});

for (const [text, tasks, running] of SUMMARIES)
  test(`the line about ${tasks.length} tasks and ${running} in the background is "${text}"`, () => {
    expect(taskSummary(tasks, running)).toBe(text);
  });
