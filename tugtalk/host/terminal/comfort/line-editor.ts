/** One line of input that is edited key by key. Pure: a key gives the next state. */

/** A key as `node:readline` reports it. */
export type Key = {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
};

/** What is being typed. */
export type LineEditor = {
  /** May hold newlines, which come from a paste or from Alt-Enter. */
  readonly text: string;
  /** An index into `text`. */
  readonly cursor: number;
  /** Between the marks that the terminal puts around a paste. */
  readonly isPasting: boolean;
  /** Earlier lines, oldest first. */
  readonly history: readonly string[];
  /** The entry that is shown; `history.length` is the new line. */
  readonly historyAt: number;
  /** The new line, while an earlier one is shown. */
  readonly draft: string;
};

const MAX_HISTORY = 200;

/** An editor into which nothing was typed. */
export const EMPTY_EDITOR: LineEditor = {
  text: "",
  cursor: 0,
  isPasting: false,
  history: [],
  historyAt: 0,
  draft: "",
};

const characters = new Intl.Segmenter();

/** The editor without its text, which goes into the history. */
export function submitLine({ text, history }: LineEditor): LineEditor {
  const isNew = text.trim() !== "" && text !== history.at(-1);
  return clearLine({ history: isNew ? [...history, text].slice(-MAX_HISTORY) : history });
}

/** The editor without its text, which is forgotten. */
export function clearLine({ history }: Pick<LineEditor, "history">): LineEditor {
  return { ...EMPTY_EDITOR, history, historyAt: history.length };
}

/** The editor after a key. Enter, Ctrl-C and Ctrl-D are for the caller, except within a paste. */
export function editLine(editor: LineEditor, key: Key): LineEditor {
  if (key.name === "paste-start") return { ...editor, isPasting: true };
  if (key.name === "paste-end") return { ...normalizeNewlines(editor), isPasting: false };
  if (editor.isPasting) return insert(editor, key.sequence ?? "");
  if (key.ctrl === true) return editByControl(editor, key.name);
  if (key.meta === true) return editByMeta(editor, key.name);
  return editByName(editor, key);
}

function editByName(editor: LineEditor, key: Key): LineEditor {
  const { text, cursor } = editor;
  switch (key.name) {
    case "left":
      return { ...editor, cursor: previousPlace(text, cursor) };
    case "right":
      return { ...editor, cursor: nextPlace(text, cursor) };
    case "home":
      return { ...editor, cursor: 0 };
    case "end":
      return { ...editor, cursor: text.length };
    case "up":
      return recall(editor, editor.historyAt - 1);
    case "down":
      return recall(editor, editor.historyAt + 1);
    case "backspace":
      return remove(editor, previousPlace(text, cursor), cursor);
    case "delete":
      return remove(editor, cursor, nextPlace(text, cursor));
    default:
      return insert(editor, (key.sequence ?? "").startsWith("\u001b") ? "" : (key.sequence ?? ""));
  }
}

function editByControl(editor: LineEditor, name: string | undefined): LineEditor {
  const { text, cursor } = editor;
  switch (name) {
    case "a":
      return { ...editor, cursor: 0 };
    case "e":
      return { ...editor, cursor: text.length };
    case "u":
      return remove(editor, 0, cursor);
    case "k":
      return remove(editor, cursor, text.length);
    case "w":
      return remove(editor, wordStart(text, cursor), cursor);
    default:
      return editor;
  }
}

function editByMeta(editor: LineEditor, name: string | undefined): LineEditor {
  const { text, cursor } = editor;
  switch (name) {
    case "return":
    case "enter":
      return insert(editor, "\n");
    case "b":
      return { ...editor, cursor: wordStart(text, cursor) };
    case "backspace":
      return remove(editor, wordStart(text, cursor), cursor);
    default:
      return editor;
  }
}

/** Control characters mean nothing here and are dropped, except newline and tab within a paste. */
function insert(editor: LineEditor, typed: string): LineEditor {
  const { text, cursor, isPasting } = editor;
  const added = isPasting || typed === "\n" ? typed : typed.replace(/\p{Cc}/gu, "");
  const next = text.slice(0, cursor) + added + text.slice(cursor);
  return { ...editor, text: next, cursor: cursor + added.length };
}

function remove(editor: LineEditor, from: number, to: number): LineEditor {
  const { text } = editor;
  return { ...editor, text: text.slice(0, from) + text.slice(to), cursor: from };
}

/** Terminals paste a newline as a carriage return. */
function normalizeNewlines(editor: LineEditor): LineEditor {
  const normalize = (text: string) => text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "");
  const before = normalize(editor.text.slice(0, editor.cursor));
  const text = before + normalize(editor.text.slice(editor.cursor));
  return { ...editor, text, cursor: before.length };
}

function recall(editor: LineEditor, at: number): LineEditor {
  const { history } = editor;
  if (at < 0 || at > history.length) return editor;
  const draft = editor.historyAt === history.length ? editor.text : editor.draft;
  const text = history[at] ?? draft;
  return { ...editor, text, cursor: text.length, historyAt: at, draft };
}

function previousPlace(text: string, cursor: number): number {
  const last = [...characters.segment(text.slice(0, cursor))].at(-1);
  return last?.index ?? 0;
}

function nextPlace(text: string, cursor: number): number {
  const [first] = characters.segment(text.slice(cursor));
  return cursor + (first?.segment.length ?? 0);
}

function wordStart(text: string, cursor: number): number {
  return Math.max(0, text.slice(0, cursor).search(/\S+\s*$/));
}
