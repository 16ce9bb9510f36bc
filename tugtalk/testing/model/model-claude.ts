/**
 * A Claude that follows the protocol reference, driven move by move: each move is something that a
 * CLI of its version may do next. It returns lines, and its caller prints them. Protocol reference §4, §5, §10, §15.
 */

import type { MeasuredVersion } from "../../simulator/measured-versions.ts";
import type { FakeClaude } from "../drivers/fake-claude.ts";
import { echoLine, initLine, interruptedLine, resultLine } from "../drivers/test-lines.ts";
import { type Fields, fieldsOf } from "../observer/observed.ts";
import { ModelAgent } from "./model-agent.ts";
import { answersTo, type Request } from "./model-answers.ts";
import { agentMoves, ModelBackground, type ModelContext, type Move } from "./model-background.ts";
import {
  answerEcho,
  clearLines,
  commandLines,
  compactionLines,
  type Handed,
  INTERRUPT_MARKER,
  lifecycleLine,
  sessionIdIn,
  textOf,
  wakeLines,
} from "./model-lines.ts";
import { ModelMessage } from "./model-message.ts";
import { ModelProgram } from "./model-program.ts";
import { ModelTool } from "./model-tool.ts";

type Turn = {
  /** The messages that are not echoed yet. */
  unechoed: readonly Handed[];
  readonly all: Handed[];
  message: ModelMessage | undefined;
  tools: readonly ModelTool[];
  /** The request id of the hook at its end. */
  stopId: string | undefined;
};

export class ModelClaude {
  readonly #claude: FakeClaude;
  readonly #version: MeasuredVersion;
  readonly #answers = new Map<unknown, Fields>();
  readonly #requests: Request[] = [];
  readonly #waiting: Handed[] = [];
  readonly #context: ModelContext;
  readonly #background: ModelBackground;
  readonly #program: ModelProgram;
  #sessionId: string;
  #read = 0;
  #ids = 0;
  #isReady = false;
  #turn: Turn | undefined;
  /** Messages that wait at a hook. */
  #submitted: { readonly requestId: string; readonly messages: Handed[] } | undefined;

  constructor(claude: FakeClaude, args: readonly string[], version: MeasuredVersion) {
    this.#claude = claude;
    this.#version = version;
    this.#sessionId = sessionIdIn(args);
    const deps = {
      newId: (kind: string) => this.#newId(kind),
      areAnswered: (requestIds: readonly string[]) =>
        requestIds.every((id) => this.#answers.has(id)),
    };
    this.#program = new ModelProgram(deps);
    this.#context = { version, ...deps, program: this.#program };
    this.#background = new ModelBackground(this.#context);
  }

  /** The ids of the prompts and messages that belong to no turn, since a background agent sent them. */
  get backgroundIds(): ReadonlySet<unknown> {
    return this.#background.ids;
  }

  /** Makes one of the possible moves; the first of them advances the turn. */
  work(pick: number): readonly Fields[] {
    this.#readInput();
    return this.#print(this.#moves(), pick);
  }

  /** A background agent makes a move. Without one, Claude makes the moves that start one. */
  delegate(pick: number): readonly Fields[] {
    this.#readInput();
    const canDelegate = this.#isReady && this.#version === "2.1.330";
    return this.#print(canDelegate ? this.#delegatingMoves() : this.#moves(), pick);
  }

  #print(moves: readonly Move[], pick: number): readonly Fields[] {
    const lines = moves[pick % moves.length]?.() ?? [];
    return lines.map((line) => ({ ...line, session_id: this.#sessionId }));
  }

  #readInput(): void {
    for (const line of this.#claude.writes.slice(this.#read)) {
      const { type, uuid, message, response } = line;
      if (type === "user") {
        const isLate = this.#turn !== undefined || this.#submitted !== undefined;
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
      ...this.#mainMoves(),
      ...this.#background.hostCallMoves(),
      ...this.#background.agentMoves(),
    ];
  }

  #mainMoves(): Move[] {
    if (this.#submitted !== undefined) return [() => this.#admit()];
    return this.#turn === undefined ? this.#idleMoves() : this.#turnMoves(this.#turn);
  }

  /** Once there is a background agent, only agents make moves. */
  #delegatingMoves(): Move[] {
    if (this.#background.oldestAgent !== undefined) return this.#background.agentMoves();
    if (this.#submitted !== undefined) return [() => this.#admit()];
    const turn = this.#turn;
    if (turn?.stopId !== undefined) return [() => this.#stop(turn)];
    if (turn === undefined) return [() => this.#begin(Math.min(1, this.#waiting.length))];
    if (turn.message !== undefined) return this.#inMessage(turn, turn.message).slice(0, 1);
    if (turn.tools.length === 0) return [() => this.#launch(turn)];
    const movable = turn.tools.filter(
      ({ agent, canAsk, asked }) =>
        agent !== undefined || (canAsk && this.#context.areAnswered(asked)),
    );
    return movable.map((tool) => () => this.#finishTool(turn, tool, true));
  }

  #initialize(): Fields[] {
    const [request] = this.#requests;
    if (request === undefined) return [];
    this.#requests.shift();
    this.#isReady = true;
    this.#program.declare(request.request);
    const early = this.#version === "2.1.330" ? this.#program.shakeHands() : [];
    return [...early, ...answersTo(request, this.#version)];
  }

  #answer(request: Request): readonly Fields[] {
    this.#requests.shift();
    const { subtype, message_uuid, cancel_queued } = request.request;
    if (subtype === "mcp_call" && this.#version !== "2.1.38") {
      this.#background.addHostCall(request);
      return [];
    }
    this.#program.take(request.request);
    if (subtype === "interrupt") return this.#interrupted(request, cancel_queued === true);
    if (subtype !== "cancel_async_message") return answersTo(request, this.#version);
    const at = this.#waiting.findIndex(({ uuid }) => uuid === message_uuid);
    if (at !== -1 && this.#version !== "2.1.38") this.#waiting.splice(at, 1);
    return answersTo(request, this.#version, { cancelled: at !== -1 });
  }

  #idleMoves(): Move[] {
    const begin: Move[] = [];
    if (this.#waiting.length > 0) begin.push(() => this.#begin(1));
    const isMergeable = this.#waiting.every(({ text, isLate }) => isLate && !text.startsWith("/"));
    if (this.#waiting.length > 1 && this.#version !== "2.1.38" && isMergeable)
      begin.push(() => this.#begin(this.#waiting.length));
    const { oldestAgent, finishableAgent } = this.#background;
    const background: Move[] = [
      ...(finishableAgent === undefined ? [] : [() => this.#wake(finishableAgent)]),
      ...(oldestAgent === undefined ? [] : [() => [oldestAgent.text(this.#newId("m"))]]),
    ];
    return [...begin, () => [], ...background, () => this.#begin(0)];
  }

  #begin(count: number): Fields[] {
    if (this.#program.isShakingHands) return this.#program.shakeHands();
    const messages = this.#waiting.splice(0, count);
    const [first] = messages;
    if (first?.text.startsWith("/") === true) return this.#localCommand(first);
    const prompt = first?.text ?? "<task-notification>";
    const hook = this.#program.hook("UserPromptSubmit", { prompt });
    if (hook === undefined) return this.#enter(messages);
    this.#submitted = { requestId: hook.requestId, messages };
    return [hook.line];
  }

  /** The hook of the messages has let them through, or refused them. */
  #admit(): Fields[] {
    const { requestId, messages } = this.#submitted ?? {};
    const answer = this.#answers.get(requestId);
    if (answer === undefined || messages === undefined) return [];
    this.#submitted = undefined;
    const lines = this.#enter(messages);
    return answer["decision"] === "block" && this.#turn !== undefined
      ? [...lines, ...this.#finish(this.#turn)]
      : lines;
  }

  #enter(messages: Handed[]): Fields[] {
    this.#turn = {
      unechoed: messages,
      all: [...messages],
      message: undefined,
      tools: [],
      stopId: undefined,
    };
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

  #wake(agent: ModelAgent): Fields[] {
    this.#background.remove(agent);
    return wakeLines(agent.call, this.#newId("m"));
  }

  #turnMoves(turn: Turn): Move[] {
    if (turn.stopId !== undefined) return [() => this.#stop(turn)];
    return [
      ...(turn.message === undefined
        ? this.#betweenMessages(turn)
        : this.#inMessage(turn, turn.message)),
      // A tool runs once its call is complete.
      ...(turn.message?.isOpen === true ? [] : turn.tools)
        .filter(({ canAsk }) => canAsk)
        .flatMap((tool) => this.#askingMoves(tool)),
      ...(turn.message?.isOpen === true ? [] : turn.tools)
        .filter((tool) => this.#mayCall(tool))
        .map((tool) => () => [tool.callHost(this.#program)]),
      ...(this.#version === "2.1.330" ? turn.tools : []).flatMap((tool) =>
        this.#toolMoves(turn, tool),
      ),
      ...(this.#waiting.length > 0 ? [() => this.#fold(turn)] : []),
      ...turn.tools.map(({ id }) => () => [new ModelAgent(id).text(this.#newId("m"))]),
      () => [{ type: "rate_limit_event", rate_limit_info: { status: "allowed" } }],
      () => compactionLines(),
    ];
  }

  #betweenMessages(turn: Turn): Move[] {
    const denied = turn.tools.find((tool) => this.#answerOf(tool)?.["interrupt"] === true);
    if (denied !== undefined) return [() => [...this.#withdrawals(turn), ...this.#abort(turn)]];
    const ready = turn.tools.filter((tool) => this.#context.areAnswered(tool.asked));
    if (ready.length > 0) return ready.map((tool) => () => this.#finishTool(turn, tool));
    if (turn.tools.length > 0) return [() => []];
    const agent = this.#background.finishableAgent;
    const late = agent === undefined ? [] : [() => this.#finishLate(turn, agent)];
    return [() => this.#stop(turn), () => this.#openMessage(turn), ...late];
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
      // The stream breaks off, and another message follows (§11b).
      () => this.#openMessage(turn),
    ];
  }

  #openMessage(turn: Turn): Fields[] {
    turn.message = new ModelMessage(this.#newId("m"));
    return turn.message.start();
  }

  #openTool(turn: Turn, message: ModelMessage): Fields[] {
    const tool = new ModelTool(this.#newId("t"), this.#program.hasTools);
    turn.tools = [...turn.tools, tool];
    return message.openTool(tool.id, tool.name);
  }

  /** A message that only calls a tool, which starts an agent in the background. */
  #launch(turn: Turn): readonly Fields[] {
    const message = new ModelMessage(this.#newId("m"));
    const tool = new ModelTool(this.#newId("t"));
    turn.tools = [tool];
    return [
      ...message.start(),
      ...message.openTool(tool.id, tool.name),
      ...message.closeBlock(),
      ...message.close(true),
      ...this.#finishTool(turn, tool, true),
    ];
  }

  #closeMessage(turn: Turn, message: ModelMessage): readonly Fields[] {
    turn.message = undefined;
    return message.close(turn.tools.length > 0);
  }

  #askingMoves(tool: ModelTool): Move[] {
    const { hookId, name, id } = tool;
    const fields = { tool_name: name, tool_input: {}, tool_use_id: id };
    const hook = hookId === undefined ? this.#program.hook("PreToolUse", fields) : undefined;
    if (hook !== undefined)
      return [
        () => {
          tool.hookId = hook.requestId;
          return [hook.line];
        },
      ];
    if (hookId !== undefined && !this.#context.areAnswered([hookId])) return [];
    const ask = (how: Parameters<ModelTool["ask"]>[1]) => () => [tool.ask(this.#newId("r"), how)];
    const form = tool.name === "mcp__s__ask" ? [ask("elicitation")] : [];
    return [ask("permission"), ask("question"), ...form];
  }

  /** All that was asked about it is answered, and nobody has refused it. */
  #mayCall(tool: ModelTool): boolean {
    const isRefused = this.#answerOf(tool)?.["behavior"] === "deny";
    return tool.canCall && !isRefused && this.#context.areAnswered(tool.asked);
  }

  /** The moves of a foreground subagent, and the move to the background. */
  #toolMoves(turn: Turn, tool: ModelTool): Move[] {
    const { agent } = tool;
    if (agent === undefined) {
      const canStart = tool.canAsk && this.#context.areAnswered(tool.asked);
      return canStart ? [() => [tool.startAgent()]] : [];
    }
    return [...agentMoves(agent, this.#context), () => this.#finishTool(turn, tool, true)];
  }

  #answerOf(tool: ModelTool): Fields | undefined {
    return this.#answers.get(tool.requestId);
  }

  #finishTool(turn: Turn, tool: ModelTool, isMoved = false): readonly Fields[] {
    turn.tools = turn.tools.filter((one) => one !== tool);
    const answer = this.#answerOf(tool);
    const echo = answer === undefined ? [] : [answerEcho(tool.requestId, answer)];
    const isStarted = tool.agent === undefined && /[02468]$/.test(tool.id);
    const isBackground = isMoved || (this.#version === "2.1.330" && isStarted);
    if (isBackground) this.#background.add(tool.agent ?? new ModelAgent(tool.id));
    return [...echo, ...(isBackground ? tool.goesOn() : [tool.result()])];
  }

  /** A message that arrived during the turn becomes part of it. */
  #fold(turn: Turn): Fields[] {
    const message = this.#waiting.shift();
    if (message === undefined) return [];
    turn.all.push(message);
    return [echoLine(message.uuid, message.text)];
  }

  /** Claude waits at the hook of the end, if there is one. It lets Claude end, or has it go on. */
  #stop(turn: Turn): Fields[] {
    if (turn.stopId === undefined) {
      const hook = this.#program.hook("Stop", { stop_hook_active: false });
      turn.stopId = hook?.requestId;
      return hook === undefined ? this.#finish(turn) : [hook.line];
    }
    const answer = this.#answers.get(turn.stopId);
    if (answer === undefined) return [];
    turn.stopId = undefined;
    return answer["decision"] === "block" ? this.#openMessage(turn) : this.#finish(turn);
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

  /** The result waits for background work to end: the wake-up begins before it (§15). */
  #finishLate(turn: Turn, agent: ModelAgent): readonly Fields[] {
    const wake = this.#wake(agent);
    return [...wake.slice(0, -1), ...this.#finish(turn), ...wake.slice(-1)];
  }

  #interrupted(request: Request, isForAll: boolean): readonly Fields[] {
    const isNew = this.#version === "2.1.330";
    const cancelled = isNew && isForAll ? this.#waiting.splice(0).map(({ uuid }) => uuid) : [];
    const still_queued = this.#waiting.map(({ uuid }) => uuid);
    const ack = answersTo(request, this.#version, isNew ? { still_queued, cancelled } : undefined);
    const hookId = this.#submitted?.requestId;
    const isOpen = hookId !== undefined && !this.#answers.has(hookId);
    const withdrawn = isOpen ? [{ type: "control_cancel_request", request_id: hookId }] : [];
    const entered = this.#enterSubmitted();
    if (this.#turn === undefined) return ack;
    return [
      ...withdrawn,
      ...this.#withdrawals(this.#turn),
      ...ack,
      ...entered,
      ...this.#abort(this.#turn),
    ];
  }

  /** Messages at a hook, which the bridge lets through before it interrupts, get a turn that ends at once. */
  #enterSubmitted(): Fields[] {
    const submitted = this.#submitted;
    this.#submitted = undefined;
    return submitted === undefined ? [] : this.#enter(submitted.messages);
  }

  #withdrawals({ tools, stopId }: Turn): Fields[] {
    const prompts = tools.flatMap((tool) => tool.withdrawn(this.#version === "2.1.330"));
    const open = stopId === undefined ? prompts : [...prompts, stopId];
    const unheard = open.filter((id) => !this.#answers.has(id));
    const calls = tools.flatMap((tool) => tool.calls);
    return [
      ...unheard.map((request_id) => ({ type: "control_cancel_request", request_id })),
      ...calls
        .filter(({ requestId }) => !this.#answers.has(requestId))
        .map((call) => this.#program.cancel(call)),
    ];
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
