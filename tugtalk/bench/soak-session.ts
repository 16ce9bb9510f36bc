/**
 * A thousand turns with tools, prompts, subagents and background tasks through one session, without
 * processes: whether a timer is left, and whether the number of objects grows.
 */
import { heapStats } from "bun:jsc";
import {
  blockStop,
  messageEnd,
  messageStart,
  textBlock,
  textDelta,
  textStart,
  toolBlock,
} from "../simulator/stream-events.ts";
import type { Fields } from "../src/base/json.ts";
import {
  assistantLine,
  echoLine,
  eventLine,
  initLine,
  promptLine,
  resultLine,
  SESSION_ID,
  toolResultLine,
} from "../testing/drivers/test-lines.ts";
import { openSession, type TestSession } from "../testing/drivers/test-session.ts";
import { exactly, fastEnough, report, sized } from "./findings.ts";

const TURNS = sized(1000, 100);
/** After this many turns every bounded collection is full, except in the short form. */
const FULL_AT = sized(600, 60);
const TOOLS = 12;

/** The number of objects by which the session may grow in each turn: the id of its message, and noise. */
const OBJECTS_PER_TURN = 10;

/** The ended turns and prompts. */
const ended = { turns: 0, prompts: 0 };

async function runTurn(session: TestSession, number: number): Promise<void> {
  const message_id = crypto.randomUUID();
  session.message("go", { message_id });
  await session.say(initLine(), echoLine(message_id, "go"));
  for (let tool = 0; tool < TOOLS; tool += 1) await useTool(session, `${number}-${tool}`);
  await session.say(...answer(`msg_${number}`), ...background(number));
  session.interrupt();
  await session.answerTo("interrupt", { response: { still_queued: [] } });
  await session.say(resultLine());
  ended.turns += session.of("turn_complete").length;
  ended.prompts += session.of("control_request_resolved").length;
  session.forget();
}

async function useTool(session: TestSession, id: string): Promise<void> {
  const [call, request_id] = [`toolu_${id}`, `request-${id}`];
  const uuid = crypto.randomUUID();
  await session.say(
    assistantLine(`msg_${id}`, toolBlock(call, "Write"), { uuid }),
    promptLine(request_id, { tool_use_id: call }),
  );
  session.approve({ request_id });
  const parent_tool_use_id = call;
  await session.say(
    assistantLine(`msg_sub_${id}`, textBlock("from below"), { parent_tool_use_id }),
    toolResultLine(call, "done"),
  );
}

function answer(id: string): Fields[] {
  const events = [messageStart(id), textStart(), textDelta("an "), textDelta("answer")];
  const ends = [blockStop(), ...messageEnd];
  const snapshot = assistantLine(id, textBlock("an answer"), { uuid: crypto.randomUUID() });
  return [...events.map(eventLine), snapshot, ...ends.map(eventLine)];
}

/** Tasks that outlive the turn. */
function background(turn: number): Fields[] {
  return ["a", "b"].map((name) => ({
    type: "system",
    subtype: "task_started",
    task_id: `task-${turn}-${name}`,
    tool_use_id: `toolu_${turn}-${name}`,
    description: "in the background",
    is_backgrounded: true,
    session_id: SESSION_ID,
    uuid: crypto.randomUUID(),
  }));
}

function liveObjects(): number {
  Bun.gc(true);
  return heapStats().objectCount;
}

const session = await openSession({ init: { options: { prompt_timeout_ms: 60_000 } } });
let before = 0;
for (let turn = 1; turn <= TURNS; turn += 1) {
  await runTurn(session, turn);
  if (turn === FULL_AT) before = liveObjects();
}
const grown = (liveObjects() - before) / (TURNS - FULL_AT);
const openInUse = session.clock.openTimers();
const gone = session.session.shutdown(false);
await session.settle();
await session.exit();
await gone;
await session.settle();
report(`soak of one session: ${TURNS} turns with ${TOOLS} tools and prompts each`, [
  exactly("turns that ended", ended.turns, TURNS),
  exactly("prompts that were answered", ended.prompts, TURNS * TOOLS),
  exactly("timers open between turns", openInUse, 0),
  exactly("timers open after the end", session.clock.openTimers(), 0),
  fastEnough(`objects kept for each turn after ${FULL_AT}`, grown, OBJECTS_PER_TURN, "objects"),
]);
