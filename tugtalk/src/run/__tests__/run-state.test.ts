/** `session_state`: when it changes, and where it comes among the other messages. */
import { expect, test } from "bun:test";
import { messageStart, textBlock, textDelta, textStart } from "../../../simulator/stream-events.ts";
import {
  assistantLine,
  eventLine,
  initLine,
  interruptedLine,
  promptLine,
  resultLine,
  SESSION_ID,
  wakeResultLine,
  wakeUpLine,
} from "../../../testing/drivers/test-lines.ts";
import { startSession } from "../../../testing/drivers/test-session.ts";
import { working } from "../../../testing/drivers/working-session.ts";

const FIRST_TOKEN = 300_000;

const SYSTEM = { type: "system", session_id: SESSION_ID, uuid: "u1" };
const compacting = (status: "compacting" | null) => ({ ...SYSTEM, subtype: "status", status });
const backgroundTasks = (...ids: readonly string[]) => ({
  ...SYSTEM,
  subtype: "background_tasks_changed",
  tasks: ids.map((task_id) => ({ task_id, task_type: "local_bash", description: "sleep" })),
});
const withdrawal = { type: "control_cancel_request", request_id: "p1" };

/** A turn in which each state comes, a result, and a turn that Claude begins by itself. */
const TWO_TURNS: readonly object[] = [
  initLine(),
  compacting("compacting"),
  compacting(null),
  promptLine("p1"),
  withdrawal,
  backgroundTasks("b1"),
  assistantLine("m1", textBlock("hello")),
  backgroundTasks(),
  resultLine(),
  wakeUpLine(),
  initLine(),
  wakeResultLine(),
];

/** A silent turn that goes on, and is interrupted. */
const REVIVED: readonly object[] = [
  eventLine(messageStart("m1")),
  eventLine(textStart()),
  eventLine(textDelta("half")),
  interruptedLine(),
];

test.each([
  ["two turns", TWO_TURNS, 0, ["running", "compacting", "requires_action", "idle"]],
  ["a stalled turn that goes on", REVIVED, FIRST_TOKEN, ["stalled", "running", "idle"]],
] as const)(
  "session_state comes at the same place, whether the lines of %s come in one batch or in many",
  async (_name, lines, silenceMs, expected) => {
    const emittedFor = async (batches: readonly (readonly object[])[]) => {
      const session = await working();
      session.clock.advance(silenceMs);
      for (const batch of batches) {
        const text = batch.map((line) => `${JSON.stringify(line)}\n`).join("");
        await session.claude().print(Buffer.from(text));
      }
      return session;
    };
    const inOne = await emittedFor([lines]);
    const inMany = await emittedFor(lines.map((line) => [line]));
    expect(inOne.emitted).toEqual(inMany.emitted);
    expect(inOne.states).toEqual(expect.arrayContaining([...expected]));
  },
);

test("session_state changes when a prompt times out, not with Claude's next line", async () => {
  const session = await startSession({ init: { options: { prompt_timeout_ms: 1_000 } } });
  session.message("go");
  await session.say(initLine(), promptLine("p1"));
  expect(session.state).toBe("requires_action");
  session.clock.advance(1_000);
  expect(session.state).toBe("running");
});

test("session_state is not repeated when Claude lists the same background tasks again", async () => {
  const session = await working();
  await session.say(backgroundTasks("b1"), backgroundTasks("b1"), backgroundTasks("b1", "b2"));
  const lists = session
    .of("session_state")
    .flatMap(({ background_tasks }) => (background_tasks === undefined ? [] : [background_tasks]));
  expect(lists).toMatchObject([[{ task_id: "b1" }], [{ task_id: "b1" }, { task_id: "b2" }]]);
});
