/**
 * One conversation between a user, or a script, and a bridge: lines of input become messages and
 * answers, messages become text, prompts are asked one after the other.
 */
import { refuse } from "../../client/answers.ts";
import type { Tugtalk } from "../../spawn/spawn.ts";
import type { InboundMessage, OutboundMessage } from "../../src/types.ts";
import { closeOnSignals } from "./close-on-signals.ts";
import { type Line, line } from "./comfort/terminal-text.ts";
import {
  applyMessage,
  applySent,
  isBusy,
  NEW_CONVERSATION,
  type OpenPrompt,
} from "./conversation-state.ts";
import { newView, type Shown, showLines, showMessage, unfinishedRow } from "./message-view.ts";
import { newPrompt } from "./prompt.ts";
import type { Prompt } from "./prompt-step.ts";
import { COMMANDS } from "./terminal-flags.ts";
import type { InputLine, UserConsole } from "./user-console.ts";

/** A bridge to start, what is sent to it first, and what the user is told of it. */
export type Start = {
  readonly start: () => Promise<Tugtalk>;
  readonly init: InboundMessage;
  readonly notice: string;
  /** What to start where the bridge finds no Claude. */
  readonly fallback?: Start;
};

/** Runs a conversation until its bridge has ended; gives the exit code. */
export async function runTerminal(start: Start, console: UserConsole): Promise<number> {
  return new TerminalHost(start, await start.start(), console).run();
}

class TerminalHost {
  readonly #console: UserConsole;
  #bridge: Tugtalk;
  #start: Start;
  /** Lines that were read and not used yet. */
  readonly #lines: InputLine[] = [];
  #inputEnded = false;
  #view;
  #conversation = NEW_CONVERSATION;
  #asked: { readonly open: OpenPrompt; readonly prompt: Prompt } | undefined;
  #isClaudeMissing = false;
  #isClosing = false;

  constructor(start: Start, bridge: Tugtalk, console: UserConsole) {
    this.#console = console;
    this.#start = start;
    this.#bridge = bridge;
    this.#view = newView(console.hasColors, console.width());
  }

  async run(): Promise<number> {
    closeOnSignals(() => this.#close());
    this.#console.open({
      onLine: (input) => this.#onLine(input),
      onInterrupt: () => this.#interrupt(),
      onEnd: () => this.#onInputEnd(),
    });
    await this.#converse();
    const { fallback } = this.#start;
    if (this.#isClaudeMissing && !this.#isClosing && fallback !== undefined) {
      this.#start = fallback;
      this.#bridge = await fallback.start();
      this.#conversation = NEW_CONVERSATION;
      await this.#converse();
    }
    this.#isClosing = true;
    this.#console.close();
    const { code } = await this.#bridge.exited;
    return code ?? 1;
  }

  async #converse(): Promise<void> {
    this.#bridge.send(this.#start.init);
    for await (const message of this.#bridge.messages) this.#onMessage(message);
  }

  #onMessage(message: OutboundMessage): void {
    if (message.type === "error" && message.code === "claude_not_found") {
      this.#isClaudeMissing = true;
      if (this.#start.fallback !== undefined) return;
    }
    const { isReady } = this.#conversation;
    this.#conversation = applyMessage(this.#conversation, message);
    if (this.#conversation.isReady !== isReady) {
      this.#printLines([line("dim", this.#start.notice)]);
    }
    this.#print(showMessage(message, { ...this.#view, width: this.#console.width() }));
    this.#ask();
    this.#takeLines();
    this.#invite();
  }

  #onLine(input: InputLine): void {
    this.#lines.push(input);
    this.#takeLines();
    this.#invite();
  }

  #onInputEnd(): void {
    this.#inputEnded = true;
    if (this.#console.isInteractive) this.#close();
    else this.#takeLines();
  }

  /** Uses the lines that may be used by now, and ends when no more can come. */
  #takeLines(): void {
    while (this.#mayTakeLine()) {
      const input = this.#lines.shift();
      if (input !== undefined) this.#takeLine(input);
      else if (this.#inputEnded) this.#finish();
      else break;
    }
  }

  /** A script's next message waits for the turn's end; a person may type ahead. */
  #mayTakeLine(): boolean {
    const { isReady, isAnswerSent, prompts } = this.#conversation;
    if (!isReady || isAnswerSent || this.#isClosing) return false;
    return prompts.length > 0 || this.#console.isInteractive || !isBusy(this.#conversation);
  }

  #takeLine(input: InputLine): void {
    switch (input.text.trim()) {
      case "/help":
        this.#printLines([line("dim", COMMANDS)]);
        return;
      case "/exit":
        this.#close();
        return;
      default:
        this.#takeText(input);
    }
  }

  /** A person's line answers the prompt that it was begun for; a script's, the one that is open. */
  #takeText({ text, askedId }: InputLine): void {
    const openId = this.#asked?.open.request.request_id;
    const answeredId = this.#console.isInteractive ? askedId : openId;
    if (answeredId === undefined) {
      if (text.trim() !== "") this.#sendText(text);
    } else if (answeredId === openId) this.#answer(text);
    else this.#printLines([line("dim", "(not sent: what it answers is not asked any more)")]);
  }

  #sendText(text: string): void {
    const message_id = crypto.randomUUID();
    this.#conversation = applySent(this.#conversation, message_id);
    this.#bridge.send({ type: "user_message", id: message_id, message_id, text });
  }

  /** Ctrl-C: interrupts what runs, else refuses what is asked, else ends; pressed again, it ends. */
  #interrupt(): void {
    const { prompts, isInterrupted, isAnswerSent } = this.#conversation;
    if (this.#isClosing) this.#bridge.kill();
    else if (isBusy(this.#conversation) && !isInterrupted) {
      this.#conversation = { ...this.#conversation, isInterrupted: true };
      this.#bridge.send({ type: "interrupt" });
    } else if (prompts[0] !== undefined && !isAnswerSent && !isInterrupted) {
      this.#sendAnswer(refuse(prompts[0].request));
    } else this.#close();
  }

  /** The input has ended and all of it is used: what still asks is refused, then it is over. */
  #finish(): void {
    const [open] = this.#conversation.prompts;
    if (open === undefined) this.#close();
    else this.#sendAnswer(refuse(open.request, "Nobody is there to answer."));
  }

  /** First the bridge, so that nothing that goes wrong with a terminal keeps it alive. */
  #close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    void this.#bridge.close();
    this.#console.close();
  }

  /** Asks what is to be asked next, unless it has been asked. */
  #ask(): void {
    const [open] = this.#conversation.prompts;
    if (open === this.#asked?.open) return;
    this.#asked = open && { open, prompt: newPrompt(open.request) };
    if (this.#asked !== undefined) this.#printLines(this.#asked.prompt.lines);
  }

  #answer(text: string): void {
    if (this.#asked === undefined) return;
    const step = this.#asked.prompt.answer(text);
    if (step.kind === "unclear") this.#printLines([line("ask", step.hint)]);
    if (step.kind === "answered") this.#sendAnswer(step.message);
    if (step.kind === "next") {
      this.#asked = { ...this.#asked, prompt: step.prompt };
      this.#printLines(step.prompt.lines);
    }
  }

  #sendAnswer(answer: InboundMessage): void {
    this.#conversation = { ...this.#conversation, isAnswerSent: true };
    this.#bridge.send(answer);
  }

  #invite(): void {
    const askedId = this.#asked?.open.request.request_id;
    this.#console.invite({ askedId, isBusy: isBusy(this.#conversation) });
  }

  #printLines(lines: readonly Line[]): void {
    this.#print(showLines(lines, this.#view));
  }

  #print({ text, view }: Shown): void {
    this.#view = view;
    this.#console.print(text, unfinishedRow(view));
  }
}
