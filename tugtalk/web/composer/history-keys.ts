/** ArrowUp and ArrowDown in the field: earlier messages, and back to what was typed. */
import type { Draft } from "../store/drafts.ts";
import type { SessionStore } from "../store/session-store.ts";
import { type HistoryPlace, historyOf, moveBy, openHistory } from "./prompt-history.ts";

export class HistoryKeys {
  readonly #draft: Draft;
  readonly #session: SessionStore;
  readonly #field: HTMLTextAreaElement;
  #place: HistoryPlace | undefined;

  constructor(draft: Draft, session: SessionStore, field: HTMLTextAreaElement) {
    this.#draft = draft;
    this.#session = session;
    this.#field = field;
  }

  /** Whether it takes the key. */
  onKey({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    const isArrow = key === "ArrowUp" || key === "ArrowDown";
    if (!isArrow || shiftKey || ctrlKey || metaKey || altKey) return false;
    if (this.#place === undefined && key === "ArrowUp") this.#place = this.#open();
    const place = this.#place && moveBy(this.#place, key === "ArrowUp" ? -1 : 1);
    if (place === undefined) return false;
    this.#place = place;
    this.#draft.text.value = place.texts[place.at] ?? "";
    const { length } = this.#field.value;
    this.#field.setSelectionRange(length, length);
    return true;
  }

  /** The text is being changed: the arrows move in it again. */
  leave(): void {
    this.#place = undefined;
  }

  /** Only from the beginning of the text, so that the arrows move in a text of several lines. */
  #open(): HistoryPlace | undefined {
    const { selectionStart, selectionEnd } = this.#field;
    if (selectionStart !== 0 || selectionEnd !== 0) return undefined;
    const { entries, openEntries } = this.#session.state.value;
    const history = historyOf([...entries, ...openEntries], this.#draft.recent.value);
    return openHistory(history, this.#draft.text.value);
  }
}
