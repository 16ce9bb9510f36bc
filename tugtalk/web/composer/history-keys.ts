/** ArrowUp and ArrowDown in the field: earlier messages, and back to the typed text. */
import type { TranscriptEntry } from "../../client/transcript-models.ts";
import type { Draft } from "../store/drafts.ts";
import type { SessionStore } from "../store/session-store.ts";

export class HistoryKeys {
  readonly #draft: Draft;
  readonly #session: SessionStore;
  readonly #field: HTMLTextAreaElement;
  #position: HistoryPosition | undefined;

  constructor(draft: Draft, session: SessionStore, field: HTMLTextAreaElement) {
    this.#draft = draft;
    this.#session = session;
    this.#field = field;
  }

  /** Whether it takes the key. */
  onKey({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    const isArrow = key === "ArrowUp" || key === "ArrowDown";
    if (!isArrow || shiftKey || ctrlKey || metaKey || altKey) return false;
    if (this.#position === undefined && key === "ArrowUp") this.#position = this.#open();
    const position = this.#position && moveBy(this.#position, key === "ArrowUp" ? -1 : 1);
    if (position === undefined) return false;
    this.#position = position;
    this.#draft.text.value = position.texts[position.at] ?? "";
    const { length } = this.#field.value;
    this.#field.setSelectionRange(length, length);
    return true;
  }

  /** The text is being changed: the arrows move in it again. */
  leave(): void {
    this.#position = undefined;
  }

  /** Only from the beginning of the text, so that the arrows move in a text of several lines. */
  #open(): HistoryPosition | undefined {
    const { selectionStart, selectionEnd } = this.#field;
    if (selectionStart !== 0 || selectionEnd !== 0) return undefined;
    const { entries, openEntries } = this.#session.state.value;
    const history = historyOf([...entries, ...openEntries], this.#draft.recent.value);
    return openHistory(history, this.#draft.text.value);
  }
}

/** Where somebody is in the history. The last text is the typed one. */
type HistoryPosition = { readonly texts: readonly string[]; readonly at: number };

/** Own messages and texts that were sent or cleared away here, each once, oldest first. */
export function historyOf(
  entries: readonly TranscriptEntry[],
  recent: readonly string[],
): readonly string[] {
  const sent = entries.flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === "user" && item.source === "host" ? item.text : [])),
  );
  const texts = [...sent, ...recent].filter((text) => text !== "");
  return texts.filter((text, index) => texts.lastIndexOf(text) === index);
}

function openHistory(history: readonly string[], typed: string): HistoryPosition {
  return { texts: [...history, typed], at: history.length };
}

/** Undefined where there is none further. */
function moveBy(position: HistoryPosition, step: 1 | -1): HistoryPosition | undefined {
  const at = position.at + step;
  return at in position.texts ? { ...position, at } : undefined;
}
