/**
 * Plays Claude: prints the lines of the conversation and takes the lines of the host. It receives lines as
 * they come, without waiting; one loop prints.
 *
 * `host-controls.ts`, `prompt-answers.ts` and `unscripted-turn.ts` answer lines that a conversation does not
 * script. Lines that the real CLI refuses never get here, see `refusals.ts`.
 */

import { type Fields, isJsonObject } from "../src/base/json.ts";
import { buildLifecycle, buildReplay, type Session, uuidOf } from "./claude-lines.ts";
import { END_OF_INPUT, type PlayedEntry } from "./conversation.ts";
import { HostControls } from "./host-controls.ts";
import { askProgram, isOfProgram } from "./host-steps.ts";
import { textOf } from "./json-value.ts";
import type { OpenPrompt } from "./printed-lines.ts";
import { isNeedless, settlePrompt, settleUnanswerable } from "./prompt-answers.ts";
import { isShort, type ShortEntry, writeOut } from "./shorthand.ts";
import { type Ending, type SimulatorOptions, SimulatorState } from "./simulator-state.ts";
import { buildTurn } from "./unscripted-turn.ts";

/** One imitated process. Call `run` once, and the other methods at their events. */
export class Player {
  readonly #state: SimulatorState;
  readonly #controls: HostControls;
  readonly #seenUuids = new Set<string>();
  #isInputOver = false;
  #wake = Promise.withResolvers<void>();

  constructor(options: SimulatorOptions) {
    this.#state = new SimulatorState(options);
    this.#controls = new HostControls(this.#state);
  }

  /** The session in the printed lines. */
  get session(): Session {
    return this.#state.session;
  }

  /** Whether the process is about to end: later input is ignored. */
  get isOver(): boolean {
    return this.#state.ending !== undefined;
  }

  /** Prints until the end of the process, and gives its form. */
  async run(): Promise<Ending> {
    const state = this.#state;
    while (state.ending === undefined) {
      if (state.unscripted !== undefined) this.#playUnscripted(state.unscripted);
      else await this.#step(state.script.current);
      if (state.options.output.isFull) await this.#breathe();
    }
    await state.options.output.drain();
    return state.ending;
  }

  /** Takes one line of stdin that the CLI did not refuse. */
  receive(value: unknown): void {
    const { script, held, options } = this.#state;
    const isUser = textOf(value, "type") === "user";
    if (isUser && options.isRepeated && script.current === undefined) script.restart();
    if (script.isWaitingFor(value, held.all)) held.add(value);
    else if (isJsonObject(value)) this.#receiveUnscripted(value);
    // At once rather than in the loop: an interrupt in the same write is meant for this turn.
    if (this.#state.unscripted === undefined) this.#settleAwaited();
    this.#wake.resolve();
  }

  /** Stdin has ended: finishes the running work, then exits. */
  closeInput(): void {
    this.#isInputOver = true;
    this.#wake.resolve();
  }

  /** SIGINT ends the turn first (§10). */
  interruptAndExit(): void {
    this.#controls.abortTurn([]);
    this.exit(0);
  }

  /** Ends the process as soon as the printed lines are written. */
  exit(code: number): void {
    this.#state.end(code);
    this.#wake.resolve();
  }

  /** Ends with a message on stderr. */
  fail(stderr: string, code: number): void {
    this.#state.options.writeError(`${stderr}\n`);
    this.exit(code);
  }

  /** Prints lines as part of the turn, at the pace of the reader, until they or the turn end. */
  stream(lines: Iterator<Fields>): void {
    this.#state.unscripted = lines;
    this.#wake.resolve();
  }

  /** Ends the streamed lines, but not the turn. */
  stopOutput(): void {
    this.#state.unscripted = undefined;
    this.#wake.resolve();
  }

  /** Prints one line outside of any turn, for example the result of a failure. */
  print(line: Fields): void {
    this.#state.print(line);
  }

  async #step(entry: PlayedEntry | undefined): Promise<void> {
    if (entry === undefined || entry.dir === "in") {
      if (!this.#moveOn()) await this.#waitForNews();
    } else if (entry.dir === "pause") {
      await this.#pause(entry, entry.msg);
    } else if (isShort(entry)) {
      this.#writeOut(entry);
    } else if (isOfProgram(entry)) {
      this.#state.script.replaceCurrent(askProgram(this.#state, entry));
    } else if (entry.dir === "then") {
      this.#follow(entry.msg());
    } else if (
      entry.dir === "out" &&
      isJsonObject(entry.msg) &&
      isNeedless(this.#state, entry.msg)
    ) {
      this.#state.script.skipPrompt(entry.msg);
    } else {
      this.#playEntry(entry);
      this.#state.script.advance();
    }
  }

  #writeOut(entry: ShortEntry): void {
    const { printed, script } = this.#state;
    const isSelfBegun = entry.dir === "open" && !printed.isTurnOpen;
    if (isSelfBegun) this.#state.received = undefined;
    if (isSelfBegun) printed.openTurn();
    script.replaceCurrent(writeOut(this.#state, entry));
  }

  /** Plays the entries next. Undefined: the turn has ended. */
  #follow(entries: readonly PlayedEntry[] | undefined): void {
    const { script } = this.#state;
    if (entries === undefined) script.skipTurn();
    else script.replaceCurrent(entries);
  }

  /**
   * Prints the answers to lines that come during the pause. An interrupt moves the script, which ends the
   * pause.
   */
  async #pause(entry: PlayedEntry, ms: number): Promise<void> {
    const { options, script } = this.#state;
    await options.output.drain();
    const cut = new AbortController();
    const pause = options.pause(ms, cut.signal).then(() => true);
    for (let isOver = false; script.current === entry && !this.isOver; ) {
      if (isOver) script.advance();
      else isOver = await Promise.race([this.#waitForNews().then(() => false), pause]);
    }
    cut.abort();
  }

  #playEntry(entry: PlayedEntry): void {
    const { options, script } = this.#state;
    if (entry.dir === "err") options.writeError(entry.msg);
    if (entry.dir === "exit") {
      const { code, signal, stderr = "" } = entry.msg;
      options.writeError(stderr);
      this.#state.end(code, signal);
    }
    if (entry.dir !== "out") return;
    if (typeof entry.msg === "string") options.output.sendText(`${entry.msg}\n`);
    else if ("__unterminated" in entry.msg) {
      options.output.sendText(String(entry.msg["__unterminated"]));
    } else {
      this.#state.printOfTurn(script.render(entry.msg));
    }
  }

  #playUnscripted(turn: Iterator<Fields>): void {
    const next = turn.next();
    if (next.done === true) this.#state.unscripted = undefined;
    else this.#state.printOfTurn(next.value);
  }

  async #waitForNews(): Promise<void> {
    this.#wake = Promise.withResolvers();
    await this.#state.options.output.drain();
    if (this.#state.ending === undefined) await this.#wake.promise;
  }

  /** Yields, so that the reader catches up and stdin is read, with any interrupt in it. */
  async #breathe(): Promise<void> {
    await this.#state.options.output.drain();
    await Bun.sleep(0);
  }

  /** At an `in` or past the end: does the work that needs no further input. False: there is none. */
  #moveOn(): boolean {
    if (this.#settleAwaited() || this.#startQueuedTurn()) return true;
    return this.#isInputOver && this.#finish();
  }

  #settleAwaited(): boolean {
    const { script, held, program } = this.#state;
    const index = script.findAwaited(held.all);
    if (index < 0) return false;
    if (program.isShakingHands && textOf(held.all[index], "type") === "user") return false;
    const received = held.takeAt(index);
    const pattern = script.accept(received);
    if (isJsonObject(received)) this.#takeScripted(received, pattern);
    return true;
  }

  #takeScripted(received: Fields, pattern: unknown): void {
    if (received["type"] === "user") this.#takeUser(received);
    this.#controls.record(received);
    this.#settlePrompt(received, pattern);
  }

  #takeUser(received: Fields): void {
    this.#state.printed.openTurn();
    this.#state.received = received;
    const uuid = uuidOf(received);
    if (uuid === undefined) return;
    this.#seenUuids.add(uuid);
    this.#state.checkpoints.add(uuid);
  }

  #receiveUnscripted(message: Fields): void {
    if (message["type"] === "user") this.#queueUser(message);
    else if (message["type"] === "control_request") this.#controls.answer(message);
    else this.#settlePrompt(message, undefined);
  }

  /** An answer without an open prompt is late, repeated or invalid, and ignored. */
  #settlePrompt(answer: Fields, pattern: unknown): void {
    const prompt = this.#promptOf(answer);
    if (prompt !== undefined) settlePrompt(this.#state, prompt, answer, pattern);
  }

  #promptOf(answer: unknown): OpenPrompt | undefined {
    const id = textOf(answer, "response", "request_id") ?? "";
    return this.#state.printed.openPrompts.get(id);
  }

  #queueUser(message: Fields): void {
    const uuid = uuidOf(message);
    const isRepeat = uuid !== undefined && this.#seenUuids.has(uuid);
    if (isRepeat) this.#state.printOfTurn(buildReplay(this.session, message, true));
    if (isRepeat) return;
    if (uuid !== undefined) this.#seenUuids.add(uuid);
    if (uuid !== undefined) this.#state.print(buildLifecycle(this.session, uuid, "queued"));
    this.#state.held.add(message);
    if (this.#isAtRest()) this.#startQueuedTurn();
  }

  #isAtRest(): boolean {
    const entry = this.#state.script.current;
    return this.#state.unscripted === undefined && (entry === undefined || entry.dir === "in");
  }

  /**
   * Starts a turn for a queued message if Claude is idle and no entry awaits it: a later scripted turn or an
   * unscripted one.
   */
  #startQueuedTurn(): boolean {
    const { printed, held, script, program } = this.#state;
    const next = printed.isTurnOpen || program.isShakingHands ? undefined : held.firstUser;
    if (next === undefined) return false;
    if (script.seekUser(next)) return this.#settleAwaited();
    if (this.#state.options.isRepeated) {
      script.restart();
      return this.#settleAwaited();
    }
    held.drop(next);
    this.#takeUser(next);
    this.#state.unscripted = buildTurn(this.#state, next);
    return true;
  }

  /** Stdin has ended: skips lines that can no longer arrive, plays to the end of the turn, then exits. */
  #finish(): boolean {
    const { script, printed } = this.#state;
    const entry = script.current;
    if (entry?.dir === "in" && entry.msg === END_OF_INPUT) script.advance();
    else if (printed.isTurnOpen && entry?.dir === "in") this.#passUnanswered(entry.msg);
    else if (!script.seekEndOfInput()) this.#state.end(printed.lastResultIsError ? 1 : 0);
    return true;
  }

  #passUnanswered(pattern: unknown): void {
    this.#state.script.advance();
    const prompt = this.#promptOf(pattern);
    if (prompt !== undefined) settleUnanswerable(this.#state, prompt);
  }
}
