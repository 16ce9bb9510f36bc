/**
 * A Claude that follows the protocol reference, driven move by move: each move is something that a
 * CLI of its version may do next. It returns lines, and its caller prints them. Protocol reference §4, §5, §10, §15.
 */

import type { MeasuredVersion } from "../../simulator/measured-versions.ts";
import type { FakeClaude } from "../drivers/fake-claude.ts";
import type { Fields } from "../observer/observed.ts";
import { answersTo, type Request } from "./model-answers.ts";
import { ModelBackground, type Move } from "./model-background.ts";
import { ModelInput } from "./model-input.ts";
import { clearLines, commandLines, type Handed, sessionIdIn } from "./model-lines.ts";
import { ModelProgram } from "./model-program.ts";
import { ModelTurn, type TurnContext } from "./model-turn.ts";

export class ModelClaude {
  readonly #claude: FakeClaude;
  readonly #version: MeasuredVersion;
  readonly #input: ModelInput;
  readonly #context: TurnContext;
  readonly #background: ModelBackground;
  readonly #program: ModelProgram;
  #sessionId: string;
  #ids = 0;
  #isReady = false;
  #isForwarding = false;
  #newest: ModelTurn | undefined;
  /** Messages that wait at a hook. */
  #submitted: { readonly requestId: string; readonly messages: Handed[] } | undefined;

  constructor(claude: FakeClaude, args: readonly string[], version: MeasuredVersion) {
    this.#claude = claude;
    this.#version = version;
    this.#sessionId = sessionIdIn(args);
    const input = new ModelInput(claude);
    const deps = {
      newId: (kind: string) => this.#newId(kind),
      areAnswered: (requestIds: readonly string[]) => input.areAnswered(requestIds),
    };
    this.#input = input;
    this.#program = new ModelProgram(deps);
    const isForwarding = () => this.#isForwarding;
    const context = { version, ...deps, program: this.#program, isForwarding };
    this.#background = new ModelBackground(context);
    this.#context = { ...context, input, background: this.#background };
  }

  /** The conversation that it is in. */
  get conversation(): string {
    return this.#sessionId;
  }

  get #turn(): ModelTurn | undefined {
    return this.#newest?.isOver === false ? this.#newest : undefined;
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
    this.#input.read(this.#turn !== undefined || this.#submitted !== undefined);
  }

  #moves(): Move[] {
    const [oldest] = this.#input.requests;
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
    return this.#turn?.moves() ?? this.#idleMoves();
  }

  /** Once there is a background agent, only agents make moves. */
  #delegatingMoves(): Move[] {
    if (this.#background.oldestAgent !== undefined) return this.#background.agentMoves();
    if (this.#submitted !== undefined) return [() => this.#admit()];
    const turn = this.#turn;
    return turn === undefined
      ? [() => this.#begin(Math.min(1, this.#input.waiting.length))]
      : turn.delegatingMoves();
  }

  #initialize(): Fields[] {
    const [request] = this.#input.requests;
    if (request === undefined) return [];
    this.#input.requests.shift();
    this.#isReady = true;
    this.#program.declare(request.request);
    this.#isForwarding = request.request["forwardSubagentText"] === true;
    const early = this.#version === "2.1.330" ? this.#program.shakeHands() : [];
    return [...early, ...answersTo(request, this.#version)];
  }

  #answer(request: Request): readonly Fields[] {
    this.#input.requests.shift();
    const { subtype, message_uuid, cancel_queued } = request.request;
    if (subtype === "mcp_call" && this.#version !== "2.1.38") {
      this.#background.addHostCall(request);
      return [];
    }
    this.#program.take(request.request);
    if (subtype === "interrupt") return this.#interrupted(request, cancel_queued === true);
    if (subtype !== "cancel_async_message") return answersTo(request, this.#version);
    const at = this.#input.waiting.findIndex(({ uuid }) => uuid === message_uuid);
    if (at !== -1 && this.#version !== "2.1.38") this.#input.waiting.splice(at, 1);
    return answersTo(request, this.#version, { cancelled: at !== -1 });
  }

  #idleMoves(): Move[] {
    const begin: Move[] = [];
    if (this.#input.waiting.length > 0) begin.push(() => this.#begin(1));
    const isMergeable = this.#input.waiting.every(
      ({ text, isLate }) => isLate && !text.startsWith("/"),
    );
    if (this.#input.waiting.length > 1 && this.#version !== "2.1.38" && isMergeable)
      begin.push(() => this.#begin(this.#input.waiting.length));
    const { oldestAgent, finishableAgent } = this.#background;
    const background: Move[] = [
      ...(finishableAgent === undefined ? [] : [() => this.#background.wake(finishableAgent)]),
      ...(oldestAgent === undefined ? [] : [() => oldestAgent.text(this.#newId("m"))]),
    ];
    return [...begin, () => [], ...background, () => this.#begin(0)];
  }

  #begin(count: number): Fields[] {
    if (this.#program.isShakingHands) return this.#program.shakeHands();
    const messages = this.#input.waiting.splice(0, count);
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
    const answer = this.#input.answerTo(requestId);
    if (answer === undefined || messages === undefined) return [];
    this.#submitted = undefined;
    const lines = this.#enter(messages);
    return answer["decision"] === "block" && this.#turn !== undefined
      ? [...lines, ...this.#turn.finish()]
      : lines;
  }

  #enter(messages: readonly Handed[]): Fields[] {
    this.#newest = new ModelTurn(this.#context, messages);
    return this.#newest.begin();
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

  #interrupted(request: Request, isForAll: boolean): readonly Fields[] {
    const isNew = this.#version === "2.1.330";
    const cancelled =
      isNew && isForAll ? this.#input.waiting.splice(0).map(({ uuid }) => uuid) : [];
    const still_queued = this.#input.waiting.map(({ uuid }) => uuid);
    const ack = answersTo(request, this.#version, isNew ? { still_queued, cancelled } : undefined);
    const hookId = this.#submitted?.requestId;
    const isOpen = hookId !== undefined && !this.#input.areAnswered([hookId]);
    const withdrawn = isOpen ? [{ type: "control_cancel_request", request_id: hookId }] : [];
    const { before, after } = isNew ? this.#background.stop() : { before: [], after: [] };
    const entered = this.#enterSubmitted();
    if (this.#turn === undefined) return [...before, ...ack, ...after];
    const withdrawals = [...withdrawn, ...this.#turn.withdrawals(), ...before];
    return [...withdrawals, ...ack, ...entered, ...after, ...this.#turn.abort()];
  }

  /** Messages at a hook, which the bridge lets through before it interrupts, get a turn that ends at once. */
  #enterSubmitted(): Fields[] {
    const submitted = this.#submitted;
    this.#submitted = undefined;
    return submitted === undefined ? [] : this.#enter(submitted.messages);
  }

  #newId(kind: string): string {
    this.#ids += 1;
    return `${kind}${this.#claude.process.pid}-${this.#ids}`;
  }
}
