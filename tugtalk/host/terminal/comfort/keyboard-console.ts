/**
 * The console of a person: the line that is typed stays beneath the text that is printed.
 *
 * What may still change, the live rows, is at the bottom: the unfinished row of text and the row
 * of input. Each is cut to less than the terminal's width and ends with a newline of its own, so
 * a resize can only make them more. To erase them the cursor goes up as many rows as were drawn,
 * and so never reaches what was printed.
 */
import { emitKeypressEvents } from "node:readline";
import type { ConsoleEvents, Invitation, UserConsole } from "../user-console.ts";
import { clearLine, EMPTY_EDITOR, editLine, type Key, submitLine } from "./line-editor.ts";

const PASTE_MARKS_ON = "\u001b[?2004h";
const PASTE_MARKS_OFF = "\u001b[?2004l";
const ERASE_BELOW = "\u001b[J";
const DEFAULT_COLUMNS = 80;

const MESSAGE_MARKER = "> ";
const BUSY_MARKER = "(busy) > ";
const ANSWER_MARKER = "? ";
const BEGUN_BEFORE =
  "(what you began to type is no answer to this: finish it, or clear it by Ctrl-U)";

/** A person's console. There is one for each process, since it takes stdin and stdout. */
export class KeyboardConsole implements UserConsole {
  readonly isInteractive = true;
  readonly hasColors = process.env["NO_COLOR"] === undefined;
  #editor = EMPTY_EDITOR;
  #invitation: Invitation = { askedId: undefined, isBusy: false };
  /** The prompt that was asked when the line was begun. */
  #lineAskedId: string | undefined;
  #unfinishedRow = "";
  /** How far the cursor is below the first live row. Nothing: no live rows are drawn. */
  #rowsAbove: number | undefined;
  #isOpen = false;

  width = (): number => (process.stdout.columns || DEFAULT_COLUMNS) - 1;

  open(events: ConsoleEvents): void {
    this.#isOpen = true;
    emitKeypressEvents(process.stdin);
    process.stdin.setRawMode(true);
    process.stdin.on("keypress", (_, key: Key) => this.#onKey(key, events));
    process.stdin.on("end", events.onEnd);
    process.stdin.on("close", events.onEnd);
    process.stdin.resume();
    // Raw mode makes Ctrl-C a key; the signal may still be sent by `kill`.
    process.on("SIGINT", events.onInterrupt);
    process.stdout.on("resize", () => this.#redraw());
    this.#write(PASTE_MARKS_ON);
    this.#redraw();
  }

  print(rows: string, unfinishedRow: string): void {
    if (rows === "" && unfinishedRow === this.#unfinishedRow) return;
    this.#unfinishedRow = unfinishedRow;
    this.#redraw(rows);
  }

  invite(invitation: Invitation): void {
    const { askedId, isBusy } = this.#invitation;
    if (askedId === invitation.askedId && isBusy === invitation.isBusy) return;
    this.#invitation = invitation;
    const isNewPrompt = invitation.askedId !== undefined && invitation.askedId !== askedId;
    this.#redraw(isNewPrompt && this.#editor.text !== "" ? `${BEGUN_BEFORE}\n` : "");
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#unfinishedRow = "";
    this.#write(this.#erase() + PASTE_MARKS_OFF);
    this.#isOpen = false;
    try {
      process.stdin.setRawMode(false);
    } catch {
      // The terminal is gone, and its mode with it.
    }
    process.stdin.destroy();
  }

  #onKey(key: Key, { onLine, onInterrupt, onEnd }: ConsoleEvents): void {
    if (!this.#isOpen) return;
    const { isPasting, text } = this.#editor;
    const isEnter = key.name === "return" || key.name === "enter";
    if (isEnter && !isPasting && key.meta !== true) {
      onLine({ text, askedId: this.#submit() });
    } else if (key.ctrl === true && key.name === "c" && !isPasting) this.#cancel(onInterrupt);
    else if (key.ctrl === true && key.name === "d" && !isPasting && text === "") onEnd();
    else this.#edit(key);
  }

  /** Ctrl-C empties the line where there is nothing to interrupt. */
  #cancel(onInterrupt: () => void): void {
    const { askedId, isBusy } = this.#invitation;
    if (this.#editor.text === "" || isBusy || askedId !== undefined) onInterrupt();
    else {
      this.#editor = clearLine(this.#editor);
      this.#redraw();
    }
  }

  #edit(key: Key): void {
    // An empty line is begun with this key.
    if (this.#editor.text === "") this.#lineAskedId = this.#invitation.askedId;
    this.#editor = editLine(this.#editor, key);
    if (!this.#editor.isPasting) this.#redraw();
  }

  /** Prints the line for good and empties it; gives the prompt that it answers. */
  #submit(): string | undefined {
    const { text } = this.#editor;
    const askedId = this.#lineOwner();
    const marker = askedId === undefined ? MESSAGE_MARKER : ANSWER_MARKER;
    const shown = marker + text.replaceAll("\n", "\n  ").replaceAll("\t", "    ");
    this.#editor = submitLine(this.#editor);
    this.#redraw(text === "" ? "" : `${shown}\n`);
    return askedId;
  }

  #lineOwner(): string | undefined {
    return this.#editor.text === "" ? this.#invitation.askedId : this.#lineAskedId;
  }

  #marker(): string {
    if (this.#lineOwner() !== undefined) return ANSWER_MARKER;
    return this.#invitation.isBusy ? BUSY_MARKER : MESSAGE_MARKER;
  }

  /** Erases the live rows, prints rows for good, and draws the live rows beneath them. */
  #redraw(rows = ""): void {
    // What comes at the end, such as how the last turn ended, is printed without an input row.
    if (!this.#isOpen) {
      this.#write(rows);
      return;
    }
    const erased = this.#erase();
    const live =
      this.#unfinishedRow === "" ? [] : [clipStart(onOneRow(this.#unfinishedRow), this.width())];
    this.#rowsAbove = live.length;
    this.#write(erased + rows + [...live, this.#inputRow()].join("\n"));
  }

  #erase(): string {
    if (this.#rowsAbove === undefined) return "";
    const up = this.#rowsAbove > 0 ? `\u001b[${this.#rowsAbove}A` : "";
    this.#rowsAbove = undefined;
    return `\r${up}${ERASE_BELOW}`;
  }

  /** The part of the line around the cursor, on one row, with the cursor where it belongs. */
  #inputRow(): string {
    const { text, cursor } = this.#editor;
    const marker = this.#marker();
    const columns = this.width() - marker.length;
    const before = clipStart(onOneRow(text.slice(0, cursor)), columns);
    const room = columns - Bun.stringWidth(before);
    const after = Bun.sliceAnsi(onOneRow(text.slice(cursor)), 0, room);
    const column = marker.length + Bun.stringWidth(before) + 1;
    return `${marker}${before}${after}\u001b[${column}G`;
  }

  #write(text: string): void {
    try {
      process.stdout.write(text);
    } catch {
      // The terminal is gone; `closeOnSignals` ends the host.
    }
  }
}

/** The end of a text that has room in so many columns. */
function clipStart(text: string, columns: number): string {
  const excess = Bun.stringWidth(text) - columns;
  return excess <= 0 ? text : Bun.sliceAnsi(text, excess);
}

function onOneRow(text: string): string {
  return text.replaceAll("\n", "⏎").replaceAll("\t", " ");
}
