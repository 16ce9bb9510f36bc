/** `session_state`: when it changes, and where it comes among the other messages. */
import { expect, test } from "bun:test";
import {
  assistantLine,
  eventLine,
  initLine,
  interruptedLine,
  messageStart,
  promptLine,
  resultLine,
  SESSION_ID,
  textBlock,
  textDelta,
  textStart,
  wakeResultLine,
  wakeUpLine,
} from "../../../testing/drivers/claude-lines.ts";
import { emittedOf, sayAsHost } from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
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

const statesOf = (session: TestSession) =>
  emittedOf(session, "session_state").map(({ state }) => state);

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
    expect(statesOf(inOne)).toEqual(expect.arrayContaining([...expected]));
  },
);

test("session_state changes when a prompt times out, not with Claude's next line", async () => {
  const session = await startSession({ init: { options: { prompt_timeout_ms: 1_000 } } });
  sayAsHost(session, "go");
  for (const line of [initLine(), promptLine("p1")]) await session.claude().say(line);
  expect(statesOf(session).at(-1)).toBe("requires_action");
  session.clock.advance(1_000);
  expect(statesOf(session).at(-1)).toBe("running");
});

test("session_state is not repeated when Claude lists the same background tasks again", async () => {
  const session = await working();
  for (const line of [backgroundTasks("b1"), backgroundTasks("b1"), backgroundTasks("b1", "b2")])
    await session.claude().say(line);
  const lists = emittedOf(session, "session_state").flatMap(({ background_tasks }) =>
    background_tasks === undefined ? [] : [background_tasks],
  );
  expect(lists).toMatchObject([[{ task_id: "b1" }], [{ task_id: "b1" }, { task_id: "b2" }]]);
});
