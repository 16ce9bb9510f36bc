/**
 * Claude's list of tasks from the tools that keep it. Inputs and results were captured: the task tools
 * with 2.1.197, TodoWrite with 2.1.38.
 */
import { expect, test } from "bun:test";
import { reduceCapture } from "../../../testing/captures/reduced-capture.ts";
import { reduced } from "./reduced.ts";

type Fields = Readonly<Record<string, unknown>>;

/** One call of a tool with its structured result. */
function called(tool_name: string, input: Fields, structured_result: unknown) {
  const tool_use_id = crypto.randomUUID();
  const call = { tool_use_id, tool_name };
  const block = { msg_id: "m", block_index: 0, status: "complete" };
  return [
    { type: "tool_use", ...call, ...block, input },
    { type: "tool_use_structured", ...call, structured_result },
  ];
}

const CREATED = [
  ...called(
    "TaskCreate",
    { subject: "Do A", description: "First thing", activeForm: "Doing A" },
    { task: { id: "1", subject: "Do A" } },
  ),
  ...called(
    "TaskCreate",
    { subject: "Do B", description: "Second thing" },
    { task: { id: "2", subject: "Do B" } },
  ),
];
const STARTED = [
  ...CREATED,
  ...called(
    "TaskUpdate",
    { taskId: "1", status: "in_progress" },
    { success: true, taskId: "1", updatedFields: ["status"] },
  ),
  ...called(
    "TaskUpdate",
    { taskId: "2", addBlockedBy: ["1"], owner: "me" },
    { success: true, taskId: "2", updatedFields: ["owner", "blockedBy"] },
  ),
];
const A = { id: "1", subject: "Do A", description: "First thing", activeForm: "Doing A" };
const B = { id: "2", subject: "Do B", description: "Second thing", owner: "me", blockedBy: ["1"] };

test("created and updated tasks are in the list, with the one in progress", () => {
  expect(reduced(STARTED).taskList).toEqual({
    tasks: [
      { ...A, status: "in_progress", blockedBy: [] },
      { ...B, status: "pending" },
    ],
    activeTaskId: "1",
  });
});

test("a listing says which tasks there are, and keeps the fields that it lacks", () => {
  const listed = { tasks: [{ id: "2", subject: "Do B", status: "completed", blockedBy: [] }] };
  expect(reduced([...STARTED, ...called("TaskList", {}, listed)]).taskList).toEqual({
    tasks: [{ ...B, status: "completed", blockedBy: [] }],
  });
});

test("a task that was asked for has all its fields, known before or not", () => {
  const task = { id: "3", subject: "Do C", description: "Third", status: "pending", blockedBy: [] };
  const { tasks } = reduced([...STARTED, ...called("TaskGet", { taskId: "3" }, { task })]).taskList;
  expect(tasks[2]).toEqual(task);
});

test("a deleted task is gone, and blocks no other one", () => {
  const gone = called("TaskUpdate", { taskId: "1", status: "deleted" }, { success: true });
  expect(reduced([...STARTED, ...gone]).taskList.tasks).toEqual([
    { ...B, status: "pending", blockedBy: [] },
  ]);
});

test("a task may name those that it blocks", () => {
  const blocking = called("TaskUpdate", { taskId: "1", addBlocks: ["2"] }, { success: true });
  expect(reduced([...CREATED, ...blocking]).taskList.tasks[1]?.blockedBy).toEqual(["1"]);
});

test("a failed call changes nothing", () => {
  const failed = called("TaskUpdate", { taskId: "1", status: "completed" }, "Error: no such tool");
  const refused = called("TaskUpdate", { taskId: "1", status: "completed" }, { success: false });
  const before = reduced(STARTED);
  expect(reduced([...failed, ...refused], before).taskList).toBe(before.taskList);
});

test("TodoWrite replaces the list", () => {
  const todos = [
    { content: "Do A", status: "completed", activeForm: "Doing A" },
    { content: "Do B", status: "in_progress", activeForm: "Doing B" },
  ];
  const written = called("TodoWrite", { todos }, { oldTodos: [], newTodos: todos });
  expect(reduced([...STARTED, ...written]).taskList).toEqual({
    tasks: [
      { id: "1", subject: "Do A", status: "completed", activeForm: "Doing A", blockedBy: [] },
      { id: "2", subject: "Do B", status: "in_progress", activeForm: "Doing B", blockedBy: [] },
    ],
    activeTaskId: "2",
  });
});

test("a captured conversation leaves the tasks that it has not deleted", async () => {
  const { taskList } = await reduceCapture("2.1.197/tool_task_list");
  expect(taskList).toEqual({ tasks: [{ ...A, status: "completed", blockedBy: [] }] });
});
