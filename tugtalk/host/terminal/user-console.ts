/**
 * Where a host meets its user: lines come in, text goes out. This file has the one for scripts,
 * with pipes; `comfort/keyboard-console.ts` has the one for a person at a terminal.
 */
import { createInterface } from "node:readline";

/** A line of input, and the id of the prompt that was asked when the line was begun. */
export type InputLine = { readonly text: string; readonly askedId: string | undefined };

/** What happens at a console. */
export type ConsoleEvents = {
  readonly onLine: (line: InputLine) => void;
  readonly onInterrupt: () => void;
  /** No line will come any more. */
  readonly onEnd: () => void;
};

/** What a line is for that is begun from here on. */
export type Invitation = {
  /** The prompt that it answers; absent: it is a message. */
  readonly askedId: string | undefined;
  /** A turn runs, so that a message has to wait. */
  readonly isBusy: boolean;
};

/** A place to read lines from and to print to. */
export type UserConsole = {
  readonly isInteractive: boolean;
  readonly hasColors: boolean;
  /** Columns for text; Infinity where nothing is to be wrapped. */
  readonly width: () => number;
  readonly open: (events: ConsoleEvents) => void;
  /** Prints whole rows, and shows beneath them a row of text that is not finished. */
  readonly print: (rows: string, unfinishedRow: string) => void;
  /** Says what the next line is for. */
  readonly invite: (invitation: Invitation) => void;
  readonly close: () => void;
};

/** The console of a script. All its lines may be there at once, so none belongs to a prompt. */
export function scriptConsole(): UserConsole {
  const input = createInterface({ input: process.stdin, terminal: false });
  return {
    isInteractive: false,
    hasColors: false,
    width: () => Number.POSITIVE_INFINITY,
    open: ({ onLine, onInterrupt, onEnd }) => {
      input.on("line", (text) => onLine({ text, askedId: undefined }));
      input.on("close", onEnd);
      process.on("SIGINT", onInterrupt);
    },
    print: (rows) => void (rows !== "" && process.stdout.write(rows)),
    invite: () => undefined,
    close: () => {
      input.close();
      process.stdin.destroy();
    },
  };
}
