/**
 * A Claude that keeps to the protocol reference, driven move by move: each move is the next thing that
 * a CLI of its version may do. What it says is printed by its caller. Protocol reference §4, §5, §10, §15.
 */
import {
  echoLine,
  eventLine,
  initLine,
  interruptedLine,
  messageStart,
  resultLine,
} from "./claude-lines.ts";
import type { FakeClaude } from "./fake-claude.ts";
import { answersTo, type Request, type Version } from "./model-answers.ts";
import {
  answerEcho,
  clearLines,
  commandLines,
  compactionLines,
  type Handed,
  INTERRUPT_MARKER,
  lifecycleLine,
  sessionIdIn,
  subagentLine,
  textOf,
  wakeLines,
} from "./model-lines.ts";
import { ModelMessage } from "./model-message.ts";
import { ModelTool } from "./model-tool.ts";
import { type Fields, fieldsOf } from "./observed.ts";

/** One thing that Claude may do: gives the lines that it prints. */
type Move = () => readonly Fields[];

type Turn = {
  /** The messages that are not echoed yet. */
  unechoed: readonly Handed[];
  readonly all: Handed[];
  message: ModelMessage | undefined;
  tools: readonly ModelTool[];
};

export class ModelClaude {
  readonly #claude: FakeClaude;
  readonly #version: Version;
  readonly #answers = new Map<unknown, Fields>();
  readonly #requests: Request[] = [];
  readonly #waiting: Handed[] = [];
  #sessionId: string;
  #tasks: readonly string[] = [];
  #read = 0;
  #ids = 0;
  #isReady = false;
  #turn: Turn | undefined;

  constructor(claude: FakeClaude, args: readonly string[], version: Version) {
    this.#claude = claude;
    this.#version = version;
    this.#sessionId = sessionIdIn(args);
  }

  /** Does one of the things that may come next; the first of them brings it on. */
  work(pick: number): readonly Fields[] {
    this.#readInput();
    const moves = this.#moves();
    const lines = moves[pick % moves.length]?.() ?? [];
    return lines.map((line) => ({ ...line, session_id: this.#sessionId }));
  }

  #readInput(): void {
    for (const line of this.#claude.writes.slice(this.#read)) {
      const { type, uuid, message, response } = line;
      if (type === "user") {
        const isLate = this.#turn !== undefined;
        this.#waiting.push({ uuid: String(uuid), text: textOf(message), isLate });
      } else if (type === "control_request") this.#requests.push(line as Request);
      else
        this.#answers.set(
          fieldsOf(response)["request_id"],
          fieldsOf(fieldsOf(response)["response"]),
        );
    }
    this.#read = this.#claude.writes.length;
  }

  #moves(): Move[] {
    const [oldest] = this.#requests;
    if (!this.#isReady) return [() => this.#initialize()];
    const answer = oldest === undefined ? [] : [() => this.#answer(oldest)];
    return [
      ...answer,
      ...(this.#turn === undefined ? this.#idleMoves() : this.#turnMoves(this.#turn)),
    ];
  }

  #initialize(): Fields[] {
    const [request] = this.#requests;
    if (request === undefined) return [];
    this.#requests.shift();
    this.#isReady = true;
    return answersTo(request, this.#version);
  }

  #answer(request: Request): readonly Fields[] {
    this.#requests.shift();
    const { subtype, message_uuid, cancel_queued } = request.request;
    if (subtype === "interrupt") return this.#interrupted(request, cancel_queued === true);
    if (subtype !== "cancel_async_message") return answersTo(request, this.#version);
    const at = this.#waiting.findIndex(({ uuid }) => uuid === message_uuid);
    if (at !== -1 && this.#version !== "2.1.38") this.#waiting.splice(at, 1);
    return answersTo(request, this.#version, { cancelled: at !== -1 });
  }

  // ------------------------------------------------------------------------------------ between turns

  #idleMoves(): Move[] {
    const begin: Move[] = [];
    if (this.#waiting.length > 0) begin.push(() => this.#begin(1));
    const isMergeable = this.#waiting.every(({ text, isLate }) => isLate && !text.startsWith("/"));
    if (this.#waiting.length > 1 && this.#version !== "2.1.38" && isMergeable)
      begin.push(() => this.#begin(this.#waiting.length));
    const [task] = this.#tasks;
    const background: Move[] =
      task === undefined
        ? []
        : [() => this.#wake(task), () => [subagentLine(task, this.#newId("m"))]];
    return [...begin, () => [], ...background, () => this.#begin(0)];
  }

  #begin(count: number): Fields[] {
    const messages = this.#waiting.splice(0, count);
    const [first] = messages;
    if (first?.text.startsWith("/") === true) return this.#localCommand(first);
    this.#turn = { unechoed: messages, all: [...messages], message: undefined, tools: [] };
    const isNew = this.#version === "2.1.330";
    const isMerged = this.#version === "2.1.197" && messages.length > 1;
    const early = isMerged ? this.#echoes(this.#turn, messages.length - 1) : [];
    const lifecycle = isNew ? messages.map((message) => lifecycleLine(message, "started")) : [];
    const requesting = { type: "system", subtype: "status", status: "requesting" };
    return [
      ...lifecycle,
      ...early,
      initLine(),
      ...(this.#version === "2.1.38" ? [] : [requesting]),
      ...(isNew ? this.#echoes(this.#turn, messages.length) : []),
    ];
  }

  #localCommand({ uuid, text }: Handed): Fields[] {
    if (text === "/clear" && this.#version === "2.1.330") return this.#clear();
    return commandLines({ uuid, text, id: this.#newId("m"), isOld: this.#version === "2.1.38" });
  }

  #clear(): Fields[] {
    const before = this.#sessionId;
    this.#sessionId = crypto.randomUUID();
    return clearLines(before, this.#sessionId);
  }

  #wake(task: string): Fields[] {
    this.#tasks = this.#tasks.filter((one) => one !== task);
    return wakeLines(task, this.#newId("m"));
  }

  // -------------------------------------------------------------------------------------- in a turn

  #turnMoves(turn: Turn): Move[] {
    return [
      ...(turn.message === undefined
        ? this.#betweenMessages(turn)
        : this.#inMessage(turn, turn.message)),
      ...turn.tools.filter(({ canAsk }) => canAsk).flatMap((tool) => this.#askingMoves(tool)),
      ...(this.#waiting.length > 0 ? [() => this.#fold(turn)] : []),
      ...turn.tools.map(({ id }) => () => [subagentLine(id, this.#newId("m"))]),
      () => [{ type: "rate_limit_event", rate_limit_info: { status: "allowed" } }],
      () => compactionLines(),
    ];
  }

  #betweenMessages(turn: Turn): Move[] {
    const denied = turn.tools.find((tool) => this.#answerOf(tool)?.["interrupt"] === true);
    if (denied !== undefined) return [() => this.#abort(turn)];
    const ready = turn.tools.filter((tool) => !tool.isAsking || this.#answerOf(tool) !== undefined);
    if (ready.length > 0) return ready.map((tool) => () => this.#finishTool(turn, tool));
    if (turn.tools.length > 0) return [() => []];
    const [task] = this.#tasks;
    const late = task === undefined ? [] : [() => this.#finishLate(turn, task)];
    return [() => this.#finish(turn), () => this.#openMessage(turn), ...late];
  }

  #inMessage(turn: Turn, message: ModelMessage): Move[] {
    if (message.isOpen) {
      return [
        () => [...this.#echoes(turn, 1), ...message.closeBlock()],
        () => message.write(),
        () => message.closeBlock("and more"),
      ];
    }
    return [
      () => this.#closeMessage(turn, message),
      () => message.openText("text"),
      () => this.#openTool(turn, message),
      () => message.openText("thinking"),
      // The stream breaks and is taken up by another message (§11b).
      () => this.#openMessage(turn),
    ];
  }

  #openMessage(turn: Turn): Fields[] {
    const id = this.#newId("m");
    turn.message = new ModelMessage(id);
    return [eventLine(messageStart(id))];
  }

  #openTool(turn: Turn, message: ModelMessage): Fields[] {
    const tool = new ModelTool(this.#newId("t"));
    turn.tools = [...turn.tools, tool];
    return message.openTool(tool.id, tool.name);
  }

  #closeMessage(turn: Turn, message: ModelMessage): readonly Fields[] {
    turn.message = undefined;
    return message.close(turn.tools.length > 0);
  }

  #askingMoves(tool: ModelTool): Move[] {
    const ask = (how: Parameters<ModelTool["ask"]>[1]) => () => [tool.ask(this.#newId("r"), how)];
    return [ask("permission"), ask("question"), ask("elicitation")];
  }

  #answerOf(tool: ModelTool): Fields | undefined {
    return this.#answers.get(tool.requestId);
  }

  #finishTool(turn: Turn, tool: ModelTool): readonly Fields[] {
    turn.tools = turn.tools.filter((one) => one !== tool);
    const answer = this.#answerOf(tool);
    const echo = answer === undefined ? [] : [answerEcho(tool.requestId, answer)];
    const isBackground = this.#version === "2.1.330" && /[02468]$/.test(tool.id);
    if (isBackground) this.#tasks = [...this.#tasks, tool.id];
    return [...echo, ...(isBackground ? tool.goesOn() : [tool.result()])];
  }

  /** A message that was handed over in the turn becomes part of it. */
  #fold(turn: Turn): Fields[] {
    const message = this.#waiting.shift();
    if (message === undefined) return [];
    turn.all.push(message);
    return [echoLine(message.uuid, message.text)];
  }

  #finish(turn: Turn): Fields[] {
    this.#turn = undefined;
    const ends = this.#version === "2.1.330" ? turn.all : [];
    return [
      ...this.#echoes(turn, turn.unechoed.length),
      resultLine(),
      ...ends.map((message) => lifecycleLine(message, "completed")),
    ];
  }

  /** The result is held back until background work is through: the wake-up begins before it comes (§15). */
  #finishLate(turn: Turn, task: string): readonly Fields[] {
    const wake = this.#wake(task);
    return [...wake.slice(0, -1), ...this.#finish(turn), ...wake.slice(-1)];
  }

  #interrupted(request: Request, isForAll: boolean): readonly Fields[] {
    const isNew = this.#version === "2.1.330";
    const cancelled = isNew && isForAll ? this.#waiting.splice(0).map(({ uuid }) => uuid) : [];
    const still_queued = this.#waiting.map(({ uuid }) => uuid);
    const ack = answersTo(request, this.#version, isNew ? { still_queued, cancelled } : undefined);
    if (this.#turn === undefined) return ack;
    const open = this.#turn.tools.filter(
      (tool) => tool.isAsking && this.#answerOf(tool) === undefined,
    );
    return [...open.map((tool) => tool.withdrawal()), ...ack, ...this.#abort(this.#turn)];
  }

  #abort(turn: Turn): Fields[] {
    this.#turn = undefined;
    return [
      ...this.#echoes(turn, turn.unechoed.length),
      ...turn.tools.map((tool) => tool.result({ is_error: true })),
      INTERRUPT_MARKER,
      interruptedLine(),
    ];
  }

  #echoes(turn: Turn, count: number): Fields[] {
    const echoed = turn.unechoed.slice(0, count);
    turn.unechoed = turn.unechoed.slice(count);
    return echoed.map(({ uuid, text }) => echoLine(uuid, text));
  }

  #newId(kind: string): string {
    this.#ids += 1;
    return `${kind}${this.#claude.process.pid}-${this.#ids}`;
  }
}
