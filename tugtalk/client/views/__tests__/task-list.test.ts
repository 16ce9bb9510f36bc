/** The task list, filled from the task tools of captured conversations. */
import { expect, test } from "bun:test";
import { reduceCapture } from "../../../testing/captures/reduced-capture.ts";

const isGet = ({ type, tool_name }: { readonly type: string; readonly tool_name?: unknown }) =>
  type === "tool_use_structured" && tool_name === "TaskGet";

test("the task list is built from TaskCreate, TaskUpdate, TaskList and TaskGet", async () => {
  const view = (await reduceCapture("2.1.197/tool_task_list", isGet)).taskList;
  expect(view).toEqual({
    tasks: [
      {
        id: "1",
        subject: "Do A",
        status: "in_progress",
        blockedBy: [],
        description: "First thing",
        activeForm: "Doing A",
      },
      {
        id: "2",
        subject: "Do B",
        status: "pending",
        blockedBy: ["1"],
        description: "Second thing",
        owner: "me",
      },
    ],
    activeTaskId: "1",
  });
});

test("a deleted task leaves the task list", async () => {
  const view = (await reduceCapture("2.1.197/tool_task_list")).taskList;
  expect(view).toEqual({
    tasks: [
      {
        id: "1",
        subject: "Do A",
        status: "completed",
        blockedBy: [],
        description: "First thing",
        activeForm: "Doing A",
      },
    ],
  });
});

test("the task list is built from TodoWrite", async () => {
  const view = (await reduceCapture("2.1.38/tool_todowrite")).taskList;
  expect(view).toEqual({
    tasks: [
      { id: "1", subject: "Do A", status: "completed", blockedBy: [], activeForm: "Doing A" },
      { id: "2", subject: "Do B", status: "in_progress", blockedBy: [], activeForm: "Doing B" },
    ],
    activeTaskId: "2",
  });
});
