/**
 * The screen of a terminal after a program has written to it: lines of styled text. Carriage returns,
 * backspaces and erased lines have their effect; all other movements are left out, as are sequences that
 * would change anything but text. Pure.
 */
import { PLAIN, type TextStyle, withSgr } from "./sgr.ts";
import { type Span, TerminalLine } from "./terminal-line.ts";

/** The lines of the output; the newline at its end begins none. */
export function terminalLines(output: string): (readonly Span[])[] {
  const screen = new Screen();
  for (const { groups = {} } of output.matchAll(TOKEN)) screen.take(groups);
  return screen.lines();
}

/** The text alone. */
export function plainText(lines: readonly (readonly Span[])[]): string {
  return lines.map((spans) => spans.map(({ text }) => text).join("")).join("\n");
}

/** Tokens in the order in which they are tried. A sequence that is cut off is one too. */
const TOKENS = {
  /** `ESC [ 1 ; 31 m` */
  sequence: String.raw`(?:\x1b\[|\x9b)(?<parameters>[0-?]*)[ -\/]*(?<command>[@-~]?)`,
  /** `ESC ] 8 ; ; url ESC \` */
  string: String.raw`\x1b[\]PX^_](?<string>[^\x07\x1b\n]*)(?:\x07|\x1b\\)?`,
  other: String.raw`\x1b[ -\/]*[0-~]?`,
  newline: String.raw`(?<newline>\r?\n)`,
  movement: String.raw`(?<movement>[\r\b])`,
  text: String.raw`(?<text>[^\x00-\x08\n-\x1f\x7f-\x9f]+)`,
  control: `[^]`,
} as const;

const TOKEN = new RegExp(Object.values(TOKENS).join("|"), "g");

type Groups = { readonly [Name in string]?: string };

class Screen {
  readonly #done: TerminalLine[] = [];
  #line = new TerminalLine();
  #style: TextStyle = PLAIN;
  #url: string | undefined;

  take({ text, newline, movement, command, parameters = "", string }: Groups): void {
    if (text !== undefined) this.#line.write({ text, style: this.#style, url: this.#url });
    else if (newline !== undefined) this.#endLine();
    else if (movement === "\r") this.#line.goToStart();
    else if (movement === "\b") this.#line.goBack();
    else if (command === "K") this.#line.erase(parameters);
    // With one of these in front it is no style.
    else if (command === "m" && !/^[<=>?]/.test(parameters))
      this.#style = withSgr(this.#style, parameters);
    else if (string !== undefined) this.#setUrl(string);
  }

  lines(): (readonly Span[])[] {
    const isEnded = this.#line.spans.length === 0;
    return [...this.#done, ...(isEnded ? [] : [this.#line])].map(({ spans }) => spans);
  }

  #endLine(): void {
    this.#done.push(this.#line);
    this.#line = new TerminalLine();
  }

  /** `8;id=1;https://…`; an empty address ends the link. */
  #setUrl(string: string): void {
    const url = /^8;[^;]*;(.*)/.exec(string)?.[1];
    if (url !== undefined) this.#url = url === "" ? undefined : url;
  }
}
