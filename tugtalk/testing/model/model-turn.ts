/** One turn of the main conversation, from its first line to its end. Protocol reference §4, §10, §15. */
import { echoLine, initLine, interruptedLine, resultLine } from "../drivers/test-lines.ts";
import type { Fields } from "../observer/observed.ts";
import { ModelAgent } from "./model-agent.ts";
import {
  agentMoves,
  type ModelBackground,
  type ModelContext,
  type Move,
} from "./model-background.ts";
import type { ModelInput } from "./model-input.ts";
import {
  answerEcho,
  compactionLines,
  type Handed,
  INTERRUPT_MARKER,
  lifecycleLine,
} from "./model-lines.ts";
import { ModelMessage } from "./model-message.ts";
import { ModelTool } from "./model-tool.ts";

export type TurnContext = ModelContext & {
  readonly input: ModelInput;
  readonly background: ModelBackground;
};

export class ModelTurn {
  readonly #context: TurnContext;
  readonly #messages: Handed[];
  /** The messages that are not echoed yet. */
  #unechoed: readonly Handed[];
  #message: ModelMessage | undefined;
  #tools: readonly ModelTool[] = [];
  /** The request id of the hook at its end. */
  #stopId: string | undefined;
  #isOver = false;

  constructor(context: TurnContext, messages: readonly Handed[]) {
    this.#context = context;
    this.#messages = [...messages];
    this.#unechoed = messages;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  begin(): Fields[] {
    const { version } = this.#context;
    const { length } = this.#messages;
    const isNew = version === "2.1.330";
    const isMerged = version === "2.1.197" && length > 1;
    const early = isMerged ? this.#echoes(length - 1) : [];
    const lifecycle = isNew ? this.#messages.map((one) => lifecycleLine(one, "started")) : [];
    const requesting = { type: "system", subtype: "status", status: "requesting" };
    return [
      ...lifecycle,
      ...early,
      initLine(),
      ...(version === "2.1.38" ? [] : [requesting]),
      ...(isNew ? this.#echoes(length) : []),
    ];
  }

  /** Claude's possible next moves in it. */
  moves(): Move[] {
    if (this.#stopId !== undefined) return [() => this.#stop()];
    // A tool runs once its call is complete.
    const tools = this.#message?.isOpen === true ? [] : this.#tools;
    const isNew = this.#context.version === "2.1.330";
    return [
      ...(this.#message === undefined ? this.#betweenMessages() : this.#inMessage(this.#message)),
      ...tools.filter(({ canAsk }) => canAsk).flatMap((tool) => this.#askingMoves(tool)),
      ...tools
        .filter((tool) => this.#mayCall(tool))
        .map((tool) => () => [tool.callHost(this.#context.program)]),
      ...(isNew ? tools : []).flatMap((tool) => this.#toolMoves(tool)),
      ...(this.#context.input.waiting.length > 0 ? [() => this.#fold()] : []),
      ...tools.flatMap((tool) => this.#textMoves(tool)),
      () => [{ type: "rate_limit_event", rate_limit_info: { status: "allowed" } }],
      () => compactionLines(this.#context.newId("")),
    ];
  }

  /** The moves that start an agent in the background. */
  delegatingMoves(): Move[] {
    if (this.#stopId !== undefined) return [() => this.#stop()];
    if (this.#message !== undefined) return this.#inMessage(this.#message).slice(0, 1);
    if (this.#tools.length === 0) return [() => this.#launch()];
    const movable = this.#tools.filter(
      ({ agent, asked }) => agent !== undefined || this.#context.areAnswered(asked),
    );
    return movable.map((tool) => () => this.#finishTool(tool, tool.isAgent));
  }

  /** It ends well. */
  finish(): Fields[] {
    this.#isOver = true;
    const ends = this.#context.version === "2.1.330" ? this.#messages : [];
    return [
      ...this.#echoes(this.#unechoed.length),
      resultLine(),
      ...ends.map((message) => lifecycleLine(message, "completed")),
    ];
  }

  /** Claude takes back the requests that nobody has answered. */
  withdrawals(): Fields[] {
    const tools = this.#tools;
    const prompts = tools.flatMap((tool) => tool.withdrawn(this.#context.version === "2.1.330"));
    const open = this.#stopId === undefined ? prompts : [...prompts, this.#stopId];
    const unheard = open.filter((id) => !this.#context.areAnswered([id]));
    const calls = tools.flatMap((tool) => tool.calls);
    return [
      ...unheard.map((request_id) => ({ type: "control_cancel_request", request_id })),
      ...calls
        .filter(({ requestId }) => !this.#context.areAnswered([requestId]))
        .map((call) => this.#context.program.cancel(call)),
    ];
  }

  /** It ends because it was interrupted. */
  abort(): Fields[] {
    this.#isOver = true;
    return [
      ...this.#echoes(this.#unechoed.length),
      ...this.#tools.flatMap((tool) => tool.stopped()),
      INTERRUPT_MARKER,
      interruptedLine(),
    ];
  }

  #betweenMessages(): Move[] {
    const denied = this.#tools.find((tool) => this.#answerOf(tool)?.["interrupt"] === true);
    if (denied !== undefined) return [() => [...this.withdrawals(), ...this.abort()]];
    const ready = this.#tools.filter((tool) => this.#context.areAnswered(tool.asked));
    if (ready.length > 0) return ready.map((tool) => () => this.#finishTool(tool));
    if (this.#tools.length > 0) return [() => []];
    const agent = this.#context.background.finishableAgent;
    const late = agent === undefined ? [] : [() => this.#finishLate(agent)];
    return [() => this.#stop(), () => this.#openMessage(), ...late];
  }

  #inMessage(message: ModelMessage): Move[] {
    if (message.isOpen) {
      return [
        () => [...this.#echoes(1), ...message.closeBlock()],
        () => message.write(),
        () => message.closeBlock("and more"),
      ];
    }
    return [
      () => this.#closeMessage(message),
      () => message.openText("text"),
      () => this.#openTool(message),
      () => message.openText("thinking"),
      // The stream breaks off, and another message follows (§11b).
      () => this.#openMessage(),
    ];
  }

  #openMessage(): Fields[] {
    this.#message = new ModelMessage(this.#context.newId("m"));
    return this.#message.start();
  }

  #openTool(message: ModelMessage): Fields[] {
    const tool = new ModelTool(this.#context.newId("t"), this.#context.program.hasTools);
    this.#tools = [...this.#tools, tool];
    return message.openTool(tool.id, tool.name);
  }

  /** A message that only calls a tool, which starts an agent in the background. */
  #launch(): readonly Fields[] {
    const message = new ModelMessage(this.#context.newId("m"));
    const tool = new ModelTool(this.#context.newId("t"), false, "Agent");
    this.#tools = [tool];
    return [
      ...message.start(),
      ...message.openTool(tool.id, tool.name),
      ...message.closeBlock(),
      ...message.close(true),
      ...this.#finishTool(tool, true),
    ];
  }

  #closeMessage(message: ModelMessage): readonly Fields[] {
    this.#message = undefined;
    return message.close(this.#tools.length > 0);
  }

  #askingMoves(tool: ModelTool): Move[] {
    const { hookId, name, id } = tool;
    const fields = { tool_name: name, tool_input: {}, tool_use_id: id };
    const hook =
      hookId === undefined ? this.#context.program.hook("PreToolUse", fields) : undefined;
    if (hook !== undefined)
      return [
        () => {
          tool.hookId = hook.requestId;
          return [hook.line];
        },
      ];
    if (hookId !== undefined && !this.#context.areAnswered([hookId])) return [];
    const ask = (how: Parameters<ModelTool["ask"]>[1]) => () => [
      tool.ask(this.#context.newId("r"), how),
    ];
    const form = tool.name === "mcp__s__ask" ? [ask("elicitation")] : [];
    return [ask("permission"), ask("question"), ...form];
  }

  /** Whether all requests about the call are answered, and nobody has refused it. */
  #mayCall(tool: ModelTool): boolean {
    const isRefused = this.#answerOf(tool)?.["behavior"] === "deny";
    return tool.canCall && !isRefused && this.#context.areAnswered(tool.asked);
  }

  /** The moves of a foreground subagent, and the move to the background. */
  #toolMoves(tool: ModelTool): Move[] {
    const { agent } = tool;
    if (agent === undefined) {
      const canStart = tool.isAgent && tool.canAsk && this.#context.areAnswered(tool.asked);
      return canStart ? [() => [tool.startAgent()]] : [];
    }
    const launch = (inner: ModelAgent) => this.#context.background.add(inner);
    return [...agentMoves(agent, this.#context, launch), () => this.#finishTool(tool, true)];
  }

  /** Its subagent says something. Older versions do not tell of its start. */
  #textMoves(tool: ModelTool): Move[] {
    const isOld = this.#context.version !== "2.1.330" && tool.isAgent;
    const agent = tool.agent ?? (isOld ? new ModelAgent(tool.id) : undefined);
    return agent === undefined ? [] : [() => agent.text(this.#context.newId("m"))];
  }

  #answerOf(tool: ModelTool): Fields | undefined {
    return this.#context.input.answerTo(tool.requestId);
  }

  #finishTool(tool: ModelTool, isMoved = false): readonly Fields[] {
    this.#tools = this.#tools.filter((one) => one !== tool);
    const answer = this.#answerOf(tool);
    const echo = answer === undefined ? [] : [answerEcho(tool.requestId, answer)];
    const isStarted = tool.agent === undefined && tool.isAgent;
    const isBackground = isMoved || (this.#context.version === "2.1.330" && isStarted);
    if (!isBackground) return [...echo, ...tool.finished()];
    const { agent, lines } = tool.launch();
    this.#context.background.add(agent);
    return [...echo, ...lines];
  }

  /** A message that arrived during the turn becomes part of it. */
  #fold(): Fields[] {
    const message = this.#context.input.waiting.shift();
    if (message === undefined) return [];
    this.#messages.push(message);
    return [echoLine(message.uuid, message.text)];
  }

  /** Claude waits at the hook of the end, if there is one. It lets Claude end, or has it go on. */
  #stop(): Fields[] {
    if (this.#stopId === undefined) {
      const hook = this.#context.program.hook("Stop", { stop_hook_active: false });
      this.#stopId = hook?.requestId;
      return hook === undefined ? this.finish() : [hook.line];
    }
    const answer = this.#context.input.answerTo(this.#stopId);
    if (answer === undefined) return [];
    this.#stopId = undefined;
    return answer["decision"] === "block" ? this.#openMessage() : this.finish();
  }

  /** The result waits for background work to end: the wake-up begins before it (§15). */
  #finishLate(agent: ModelAgent): readonly Fields[] {
    const wake = this.#context.background.wake(agent);
    return [...wake.slice(0, -1), ...this.finish(), ...wake.slice(-1)];
  }

  #echoes(count: number): Fields[] {
    const echoed = this.#unechoed.slice(0, count);
    this.#unechoed = this.#unechoed.slice(count);
    return echoed.map(({ uuid, text }) => echoLine(uuid, text));
  }
}
