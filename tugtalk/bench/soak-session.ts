/**
 * A thousand turns with tools, prompts, subagents and background tasks through one session, without
 * processes: whether a timer is left, and whether the number of objects grows.
 */
import { heapStats } from "bun:jsc";
import { SessionManager } from "../src/session.ts";
import type { OutboundDraft } from "../src/types.ts";
import {
  assistantLine,
  blockStop,
  echoLine,
  eventLine,
  initLine,
  messageEnd,
  messageStart,
  promptLine,
  resultLine,
  SESSION_ID,
  textBlock,
  textDelta,
  textStart,
  toolBlock,
  toolResultLine,
} from "../testing/drivers/claude-lines.ts";
import { openDraftCheck } from "../testing/drivers/emitted-lines.ts";
import { type FakeClaude, fakeClaude } from "../testing/drivers/fake-claude.ts";
import { sized } from "./bench-size.ts";
import { CountedClock } from "./counted-clock.ts";
import { emitted, exactly, fastEnough, report } from "./findings.ts";

const TURNS = sized(1000, 100);
/** After this many turns every bounded collection is full, but not in the short form. */
const FULL_AT = sized(600, 60);
const TOOLS = 12;

/** By how many objects the session may grow for each turn: the id of its message, and noise. */
const OBJECTS_PER_TURN = 10;

class Soak {
  readonly clock = new CountedClock();
  readonly #claude: FakeClaude = fakeClaude();
  readonly session: SessionManager;
  /** How often each type was emitted. */
  readonly emitted = new Map<string, number>();
  readonly #check = openDraftCheck();
  /** The last line written to Claude. The fake would keep all of them. */
  #written: Readonly<Record<string, unknown>> = {};

  constructor() {
    this.session = new SessionManager({
      spawn: () => ({
        ...this.#claude.process,
        writeLine: (line) => {
          this.#written = JSON.parse(line);
        },
      }),
      emit: (draft) => this.#note(draft),
      flush: () => undefined,
      drained: () => undefined,
      clock: this.clock,
      newId: () => crypto.randomUUID(),
      past: {
        newestSessionId: async () => undefined,
        lastSessionId: async () => undefined,
        findPlace: async () => ({ at: undefined, bytes: 0 }),
        hasBranched: async () => false,
        isUnbegun: async () => false,
      },
      keepSessionId: () => {},
      writeSecretFile: (name) => name,
      onFatal: () => {},
      onFault: (words) => {
        throw new Error(words);
      },
    });
  }

  #note(draft: OutboundDraft): void {
    this.#check(draft);
    this.emitted.set(draft.type, this.timesTold(draft.type) + 1);
  }

  timesTold(type: string): number {
    return this.emitted.get(type) ?? 0;
  }

  async start(): Promise<void> {
    const init = { type: "protocol_init", version: 2 } as const;
    const options = { prompt_timeout_ms: 60_000 };
    this.session.configure({ ...init, options });
    this.session.start({ ...init, options });
    await settled();
    await this.#answerNewest();
  }

  async turn(number: number): Promise<void> {
    const message_id = crypto.randomUUID();
    this.session.handleUserMessage({ type: "user_message", text: "go", message_id });
    await this.#say(initLine(), echoLine(message_id, "go"));
    for (let tool = 0; tool < TOOLS; tool += 1) await this.#useTool(`${number}-${tool}`);
    await this.#say(...answer(`msg_${number}`), ...background(`${number}`));
    this.session.handleInterrupt({ type: "interrupt" });
    await this.#answerNewest();
    await this.#say(resultLine());
    this.#claude.forgetTraffic();
  }

  async end(): Promise<void> {
    const gone = this.session.shutdown(false);
    await settled();
    await this.#claude.exit();
    await gone;
    await settled();
  }

  async #useTool(id: string): Promise<void> {
    const [call, request_id] = [`toolu_${id}`, `request-${id}`];
    const uuid = crypto.randomUUID();
    await this.#say(
      assistantLine(`msg_${id}`, toolBlock(call, "Write"), { uuid }),
      promptLine(request_id, { tool_use_id: call }),
    );
    this.session.handleToolApproval({ type: "tool_approval", request_id, decision: "allow" });
    const parentToolUseId = { parent_tool_use_id: call };
    await this.#say(
      assistantLine(`msg_sub_${id}`, textBlock("from below"), parentToolUseId),
      toolResultLine(call, "done"),
    );
  }

  /** Claude accepts the last request. */
  async #answerNewest(): Promise<void> {
    const { request_id } = this.#written;
    const response = { subtype: "success", request_id, response: { still_queued: [] } };
    await this.#say({ type: "control_response", response });
  }

  async #say(...lines: readonly object[]): Promise<void> {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    await this.#claude.print(Buffer.from(text));
  }
}

function answer(id: string): object[] {
  const events = [messageStart(id), textStart(), textDelta("an "), textDelta("answer")];
  const ends = [blockStop(), ...messageEnd];
  const snapshot = assistantLine(id, textBlock("an answer"), { uuid: crypto.randomUUID() });
  return [...events.map(eventLine), snapshot, ...ends.map(eventLine)];
}

/** Tasks that outlive the turn. */
function background(turn: string): object[] {
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

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

function liveObjects(): number {
  Bun.gc(true);
  return heapStats().objectCount;
}

async function main(): Promise<void> {
  const soak = new Soak();
  await soak.start();
  let before = 0;
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await soak.turn(turn);
    if (turn === FULL_AT) before = liveObjects();
  }
  const grown = (liveObjects() - before) / (TURNS - FULL_AT);
  const openInUse = soak.clock.open;
  await soak.end();
  report(`soak of one session: ${TURNS} turns with ${TOOLS} tools and prompts each`, [
    exactly("turns that ended", soak.timesTold("turn_complete"), TURNS),
    exactly(
      "prompts that were answered",
      soak.timesTold("control_request_resolved"),
      TURNS * TOOLS,
    ),
    emitted("timers that were set", soak.clock.set),
    exactly("timers open between turns", openInUse, 0),
    exactly("timers open after the end", soak.clock.open, 0),
    fastEnough(`objects kept for each turn after ${FULL_AT}`, grown, OBJECTS_PER_TURN, "objects"),
  ]);
}

await main();
