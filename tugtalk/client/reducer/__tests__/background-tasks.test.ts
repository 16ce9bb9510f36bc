/** Tasks that run beside the conversation, and tasks that the turn waits for. */
import { expect, test } from "bun:test";
import { CAPTURES, readCapture } from "../../../testing/captures/capture-files.ts";
import { playCapture } from "../../../testing/captures/capture-run.ts";
import { stampedAck } from "../../../testing/captures/reduced-capture.ts";
import { initialSession, reduceSession } from "../../reduce-session.ts";
import { runsBeside } from "../background-tasks.ts";

/** The tasks that have run beside the conversation at any time of a capture, by description. */
async function besideIn(capture: string): Promise<ReadonlySet<string | undefined>> {
  let state = reduceSession(initialSession, stampedAck());
  const seen = new Set<string | undefined>();
  for (const message of await playCapture(await readCapture(capture))) {
    state = reduceSession(state, message);
    for (const task of state.backgroundTasks)
      if (runsBeside(state, task)) seen.add(task.description);
  }
  return seen;
}

test.each(["2.1.330/tool_bash_slow_progress", "2.1.197/bash_40s"])(
  "the command that the turn of %s waits for does not run beside it",
  async (capture) => {
    expect(CAPTURES).toContain(capture);
    expect(await besideIn(capture)).toEqual(new Set());
  },
);

test("a command in the background runs beside the conversation", async () => {
  expect((await besideIn("2.1.330/bg_bash_short")).size).toBe(1);
});
