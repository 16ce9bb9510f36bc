/**
 * The smallest host worth reading: Claude Code in a terminal, or in a script that pipes lines in.
 * It spawns the bridge, sends what is typed, prints what comes back and passes questions on to the
 * person. How a message looks is in `terminal-view.ts`, what is asked in `terminal-prompt.ts`, and
 * what is known of the conversation in `terminal-conversation.ts`.
 *
 *   bun tugtalk/host/terminal.ts [--dir <path>] [--claude <command>] [--demo]
 */
import { createInterface, type Interface } from "node:readline";
import { parseArgs } from "node:util";
import type { InboundMessage } from "../src/types.ts";
import { type Bridge, startBridge } from "./bridge-process.ts";
import { chooseClaude } from "./claude-choice.ts";
import { followMessage, followSent, isBusy, NEW_CONVERSATION } from "./terminal-conversation.ts";
import { answerPrompt, formatPrompt, type Prompt, refusePrompt } from "./terminal-prompt.ts";
import type { Line } from "./terminal-text.ts";
import { newView, type Shown, showLines, showMessage } from "./terminal-view.ts";

/** One conversation between a person, or a script, and a bridge. */
class Terminal {
  readonly #bridge: Bridge;
  readonly #isInteractive: boolean;
  readonly #input: Interface;
  /** Lines that were read and not used yet. */
  readonly #lines: string[] = [];
  #inputEnded = false;
  #view;
  #conversation = NEW_CONVERSATION;
  #asked: Prompt | undefined;
  #isClosing = false;

  constructor(bridge: Bridge, isInteractive: boolean) {
    this.#bridge = bridge;
    this.#isInteractive = isInteractive;
    this.#view = newView(isInteractive && process.env["NO_COLOR"] === undefined);
    this.#input = createInterface({
      input: process.stdin,
      ...(isInteractive ? { output: process.stdout, prompt: "> " } : {}),
      terminal: isInteractive,
    });
  }

  /** Runs until the bridge has ended; gives its exit code. */
  async run(notice: Line): Promise<number> {
    this.#printLines([notice]);
    this.#listen();
    this.#bridge.send({ type: "protocol_init", version: 2 });
    for await (const message of this.#bridge.messages) {
      this.#conversation = followMessage(this.#conversation, message);
      this.#print(showMessage(message, this.#view));
      this.#ask();
      this.#takeLines();
    }
    this.#isClosing = true;
    this.#input.close();
    process.stdin.destroy();
    return this.#bridge.exited;
  }

  #listen(): void {
    this.#input.on("line", (line) => {
      this.#lines.push(line);
      this.#takeLines();
    });
    this.#input.on("close", () => {
      this.#inputEnded = true;
      if (this.#isInteractive) this.#close();
      else this.#takeLines();
    });
    // With a terminal, readline sees Ctrl-C as a key; in a script it is a signal.
    this.#input.on("SIGINT", () => this.#interrupt());
    process.on("SIGINT", () => this.#interrupt());
    process.on("SIGTERM", () => this.#close());
    process.on("SIGHUP", () => this.#close());
    process.stdout.on("error", () => this.#close());
  }

  /** Uses the lines that may be used by now, and ends when no more can come. */
  #takeLines(): void {
    while (this.#mayTakeLine()) {
      const line = this.#lines.shift();
      if (line !== undefined) this.#takeLine(line);
      else if (this.#inputEnded) this.#finish();
      else break;
    }
    this.#invite();
  }

  /** A script's next message waits for the turn's end; a person may type ahead. */
  #mayTakeLine(): boolean {
    const { isReady, isAnswerSent, prompts } = this.#conversation;
    if (!isReady || isAnswerSent || this.#isClosing) return false;
    return prompts.length > 0 || this.#isInteractive || !isBusy(this.#conversation);
  }

  #takeLine(line: string): void {
    const [prompt] = this.#conversation.prompts;
    if (prompt !== undefined) this.#answer(prompt, line);
    else if (line.trim() !== "") this.#sendText(line);
  }

  #sendText(text: string): void {
    const message_id = crypto.randomUUID();
    this.#conversation = followSent(this.#conversation, message_id);
    this.#bridge.send({ type: "user_message", id: message_id, message_id, text });
  }

  #answer(prompt: Prompt, line: string): void {
    const step = answerPrompt(prompt, line);
    if (step.kind === "unclear") this.#printLines([{ style: "ask", text: step.hint }]);
    if (step.kind === "next") {
      const [, ...others] = this.#conversation.prompts;
      this.#conversation = { ...this.#conversation, prompts: [step.prompt, ...others] };
      this.#ask();
    }
    if (step.kind === "answered") this.#sendAnswer(step.message);
  }

  #sendAnswer(answer: InboundMessage): void {
    this.#conversation = { ...this.#conversation, isAnswerSent: true };
    this.#bridge.send(answer);
  }

  /** The input has ended and all of it is used: what still asks is refused, then it is over. */
  #finish(): void {
    const [prompt] = this.#conversation.prompts;
    if (prompt === undefined) this.#close();
    else this.#sendAnswer(refusePrompt(prompt, "Nobody is there to answer."));
  }

  /** Ctrl-C: interrupts what runs; if nothing does, or it is pressed again, ends. */
  #interrupt(): void {
    if (this.#isClosing) this.#bridge.stop();
    else if (this.#conversation.isInterrupted || !isBusy(this.#conversation)) this.#close();
    else {
      this.#conversation = { ...this.#conversation, isInterrupted: true };
      this.#bridge.send({ type: "interrupt" });
    }
  }

  #close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#input.close();
    this.#bridge.close();
  }

  /** Asks what is to be asked next, unless it has been asked. */
  #ask(): void {
    const [prompt] = this.#conversation.prompts;
    if (prompt === this.#asked) return;
    this.#asked = prompt;
    if (prompt !== undefined) this.#printLines(formatPrompt(prompt));
  }

  #printLines(lines: readonly Line[]): void {
    this.#print(showLines(lines, this.#view));
  }

  #print({ text, view }: Shown): void {
    // The invitation to type makes room for the text and is shown again below it.
    const makeRoom = this.#isInteractive && this.#view.openBlock === undefined ? "\r\u001b[K" : "";
    this.#view = view;
    if (text !== "") process.stdout.write(makeRoom + text);
  }

  /** Shows a person that it is their turn to type. */
  #invite(): void {
    if (!this.#isInteractive || this.#isClosing || !this.#mayTakeLine()) return;
    const isTheirTurn = this.#asked !== undefined || !isBusy(this.#conversation);
    if (isTheirTurn && this.#view.openBlock === undefined) this.#input.prompt(true);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { dir: { type: "string" }, claude: { type: "string" }, demo: { type: "boolean" } },
  });
  const { command, env, notice } = chooseClaude(values);
  const bridgeFile = process.env["TUGTALK_BRIDGE"] ?? `${import.meta.dir}/../cli.ts`;
  const flags = ["--dir", values.dir ?? process.cwd(), "--claude", command];
  const bridge = startBridge([process.execPath, bridgeFile, ...flags], env);
  const isInteractive = process.stdin.isTTY === true && process.stdout.isTTY === true;
  process.exitCode = await new Terminal(bridge, isInteractive).run(notice);
}

await main();
