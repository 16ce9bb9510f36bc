/** Background tasks, filled from captured conversations; the end of the process is added. */
import { expect, test } from "bun:test";
import { reduceCapture } from "../../../testing/captures/reduced-capture.ts";
import { reduceSession } from "../../reduce-session.ts";
import { viewBackgroundTasks } from "../background-task-view.ts";

const isProgress = ({ type }: { readonly type: string }) => type === "task_progress";

const AGENT = {
  taskId: "a696a3ca5cb196f1a",
  kind: "agent",
  title: "Running x",
  toolUseId: "toolu_01Mock0047",
  isBackgrounded: true,
} as const;

test("a background agent has its progress while it runs", async () => {
  const view = viewBackgroundTasks(await reduceCapture("2.1.330/sub_background", isProgress));
  const progress = { detail: "Bash", totalTokens: 2006, toolUses: 1, durationMs: 128 };
  expect(view).toEqual([{ ...AGENT, status: "running", isRunning: true, ...progress }]);
});

test("a background agent that ended has its report and its usage", async () => {
  const view = viewBackgroundTasks(await reduceCapture("2.1.330/sub_background"));
  const usage = { totalTokens: 2042, toolUses: 1, durationMs: 2312 };
  const ended = { status: "completed", isRunning: false, detail: "Background sub finished." };
  expect(view).toEqual([{ ...AGENT, ...ended, ...usage }]);
});

test("a background command has its description", async () => {
  const view = viewBackgroundTasks(await reduceCapture("2.1.330/bg_bash_short"));
  expect(view).toMatchObject([
    {
      kind: "shell",
      title: "Background job",
      status: "completed",
      detail: 'Background command "Background job" completed (exit code 0)',
    },
  ]);
});

test("a background agent whose process ended does not run", async () => {
  const running = await reduceCapture("2.1.330/sub_background", isProgress);
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
