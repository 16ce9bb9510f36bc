/** Background tasks, filled from captured conversations; the end of the process is added. */
import { expect, test } from "bun:test";
import { reduceCapture } from "../../../testing/captures/reduced-capture.ts";
import { reduceSession } from "../../reduce-session.ts";
import { viewBackgroundTasks } from "../background-task-view.ts";

test("a background agent has its progress while it runs", async () => {
  const view = viewBackgroundTasks(
    await reduceCapture("2.1.330/sub_background", ({ type }) => type === "task_progress"),
  );
  expect(view).toEqual([
    {
      taskId: "a696a3ca5cb196f1a",
      kind: "agent",
      title: "Running x",
      status: "running",
      isRunning: true,
      toolUseId: "toolu_01Mock0047",
      isBackgrounded: true,
      detail: "Bash",
      totalTokens: 2006,
      toolUses: 1,
      durationMs: 128,
    },
  ]);
});

test("a background agent that ended has its report and its usage", async () => {
  const view = viewBackgroundTasks(await reduceCapture("2.1.330/sub_background"));
  expect(view).toEqual([
    {
      taskId: "a696a3ca5cb196f1a",
      kind: "agent",
      title: "Running x",
      status: "completed",
      isRunning: false,
      toolUseId: "toolu_01Mock0047",
      isBackgrounded: true,
      detail: "Background sub finished.",
      totalTokens: 2042,
      toolUses: 1,
      durationMs: 2312,
    },
  ]);
});

test("a background command has its description", async () => {
  const view = viewBackgroundTasks(await reduceCapture("2.1.330/bg_bash_short"));
  expect(view).toEqual([
    {
      taskId: "bbpkc9ex8",
      kind: "shell",
      title: "Background job",
      status: "completed",
      isRunning: false,
      toolUseId: "toolu_01Mock0082",
      isBackgrounded: true,
      detail: 'Background command "Background job" completed (exit code 0)',
    },
  ]);
});

test("a background agent whose process ended does not run", async () => {
  const running = await reduceCapture(
    "2.1.330/sub_background",
    ({ type }) => type === "task_progress",
  );
  const state = reduceSession(running, {
    type: "process_exit",
    exit_code: null,
    signal: "SIGKILL",
    expected: false,
    stderr_tail: "",
    will_restart: true,
  });
  expect(viewBackgroundTasks(state)).toMatchObject([{ status: "abandoned", isRunning: false }]);
});
