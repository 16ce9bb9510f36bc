/** The list of the completions for the text before the caret, and the selected one. */
import { batch, signal } from "@preact/signals";
import { OPTION_STEPS } from "../elements/option-steps.ts";
import { type Choice, type Trigger, triggerAt, withChoice } from "./completion.ts";

type CompletionPorts = {
  readonly field: HTMLTextAreaElement;
  readonly find: (trigger: Trigger) => Promise<readonly Choice[]> | readonly Choice[];
  readonly onText: (text: string) => void;
};

export class CompletionList {
  readonly #ports: CompletionPorts;
  /** None: the list is closed. */
  readonly choices = signal<readonly Choice[]>([]);
  readonly selected = signal(0);
  #trigger: Trigger | undefined;
  /** Where the word begins whose list a person has closed. */
  #closedAt: number | undefined;
  #isFinding = false;
  /** The next result is taken at once: a person was faster. */
  #isAwaited = false;

  constructor(ports: CompletionPorts) {
    this.#ports = ports;
  }

  /** Follows the text and the caret. */
  update(): void {
    const { value, selectionStart, selectionEnd } = this.#ports.field;
    const found = selectionStart === selectionEnd ? triggerAt(value, selectionStart) : undefined;
    if (found?.start !== this.#closedAt) this.#closedAt = undefined;
    const trigger = this.#closedAt === undefined ? found : undefined;
    if (isSame(trigger, this.#trigger)) return;
    this.#trigger = trigger;
    if (trigger === undefined) this.#show([]);
    else void this.#find();
  }

  /** Searches again: there may be other choices. */
  refresh(): void {
    if (this.#trigger !== undefined) this.#trigger = { ...this.#trigger };
    void this.#find();
  }

  /** Whether the list takes the key. */
  onKey({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    const { length } = this.choices.value;
    if (length === 0 || ctrlKey || metaKey || altKey || shiftKey) return false;
    const step = OPTION_STEPS[key];
    if (step !== undefined) {
      this.selected.value = (this.selected.value + step + length) % length;
      return true;
    }
    if (key === "Escape") {
      this.close();
      return true;
    }
    if (key !== "Enter" && key !== "Tab") return false;
    this.#isAwaited = this.#isFinding && !this.#isShownFitting();
    return this.#isAwaited || this.choose(this.selected.value, key === "Enter");
  }

  /** A person can take a shown choice that still fits, although the search for a longer text runs. */
  #isShownFitting(): boolean {
    const { label = "" } = this.choices.value[this.selected.value] ?? {};
    const { query = "" } = this.#trigger ?? {};
    return label.toLowerCase().includes(query.toLowerCase());
  }

  /** With Enter, a name that is typed to its end is sent instead. */
  choose(index: number, isEnter = false): boolean {
    const choice = this.choices.value[index];
    const { field, onText } = this.#ports;
    if (choice === undefined || this.#trigger === undefined) return false;
    const { start, end } = this.#trigger;
    const isTyped = field.value.slice(start, end) === choice.insert.trim();
    if (isEnter && isTyped && !choice.insert.endsWith("/")) {
      this.close();
      return false;
    }
    const { text, caret } = withChoice(field.value, this.#trigger, choice);
    onText(text);
    field.setSelectionRange(caret, caret);
    this.update();
    return true;
  }

  /** Until another word is begun. */
  close(): void {
    this.#closedAt = this.#trigger?.start;
    this.#trigger = undefined;
    this.#show([]);
  }

  /** One search at a time: the next one looks for the text that was typed meanwhile. */
  async #find(): Promise<void> {
    if (this.#isFinding) return;
    this.#isFinding = true;
    for (let sought: Trigger | undefined; sought !== this.#trigger; ) {
      sought = this.#trigger;
      const found = sought === undefined ? [] : await this.#ports.find(sought);
      if (sought === this.#trigger) this.#show(found);
    }
    this.#isFinding = false;
    if (this.#isAwaited) this.choose(0);
    this.#isAwaited = false;
  }

  #show(choices: readonly Choice[]): void {
    batch(() => {
      this.choices.value = choices;
      this.selected.value = 0;
    });
  }
}

function isSame(one: Trigger | undefined, other: Trigger | undefined): boolean {
  return one?.kind === other?.kind && one?.start === other?.start && one?.query === other?.query;
}
