/**
 * Texts that the host has not taken yet, by session. Texts outlive the page; attachments do not.
 */
import { batch, effect, type Signal, signal } from "@preact/signals";
import { objectOf, objectsOf, parseJson, textOf } from "../../client/claude-value.ts";
import type { HostFrame } from "../../client/session-input.ts";
import type { Attachment } from "../../src/messages/user-messages.ts";
import { newId } from "./new-id.ts";

/** A message on its way to the host. */
export type UnansweredMessage = {
  /** With it the host takes the message once, however often it is sent. */
  readonly clientMessageId: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
};

export type Draft = {
  readonly text: Signal<string>;
  readonly attachments: Signal<readonly Attachment[]>;
  /** Oldest first. */
  readonly unanswered: Signal<readonly UnansweredMessage[]>;
  /** Texts that were sent or cleared away here and may be wanted back, newest last. */
  readonly recent: Signal<readonly string[]>;
  /** A message that may have reached the host before the page was loaded anew; absent once a message is taken. */
  readonly tried: Signal<Pick<UnansweredMessage, "clientMessageId" | "text"> | undefined>;
};

/** The beginning of the keys of the storage, before the id of the session. */
export const DRAFT_KEY = "tugtalk.draft.";

export class Drafts {
  readonly #drafts = new Map<string, Draft>();
  readonly #storage: TextStorage;

  constructor(storage: TextStorage) {
    this.#storage = storage;
  }

  of(sessionId: string): Draft {
    const known = this.#drafts.get(sessionId);
    if (known !== undefined) return known;
    const key = DRAFT_KEY + sessionId;
    const draft = readDraft(this.#storage.getItem(key));
    effect(() => this.#store(key, draft));
    this.#drafts.set(sessionId, draft);
    return draft;
  }

  /** Empties the draft into a message that is unanswered until `settle`. Undefined if the draft is blank. */
  take(sessionId: string): UnansweredMessage | undefined {
    const { text, attachments, unanswered, recent, tried } = this.of(sessionId);
    const typed = text.value.trim();
    if (typed === "" && attachments.value.length === 0) return undefined;
    const isTried = typed === tried.value?.text && attachments.value.length === 0;
    const again = isTried ? tried.value?.clientMessageId : undefined;
    const message = {
      clientMessageId: again ?? newId(),
      text: typed,
      attachments: attachments.value,
    };
    batch(() => {
      text.value = "";
      attachments.value = [];
      unanswered.value = [...unanswered.value, message];
      recent.value = [...recent.value, typed];
      tried.value = undefined;
    });
    return message;
  }

  /** The host has taken or refused the message. */
  settle(sessionId: string, message: UnansweredMessage): void {
    const { unanswered } = this.of(sessionId);
    unanswered.value = unanswered.value.filter((other) => other !== message);
  }

  /** Puts withdrawn messages before the draft. */
  giveBack(sessionId: string, text: string, attachments: readonly Attachment[] = []): void {
    const draft = this.of(sessionId);
    batch(() => {
      draft.text.value = joined([text, draft.text.value]);
      draft.attachments.value = [...attachments, ...draft.attachments.value];
    });
  }

  #store(key: string, { text, unanswered }: Draft): void {
    const messages = unanswered.value.map(({ attachments, ...message }) =>
      // Without its attachments it would be another message with the same id.
      attachments.length === 0 ? message : { text: message.text },
    );
    try {
      if (text.value === "" && messages.length === 0) this.#storage.removeItem(key);
      else this.#storage.setItem(key, JSON.stringify({ text: text.value, unanswered: messages }));
    } catch {
      // The storage is full or forbidden: the draft lives as long as the page.
    }
  }
}

export function openDrafts(): Drafts {
  return new Drafts(new TabStorage(sessionStorage, localStorage));
}

/** The code for it is loaded where there may be something to remove. */
export function removeGoneDrafts(frame: HostFrame): void {
  if (!/^sessions|deleted/.test(frame.t)) return;
  const storages = [sessionStorage, localStorage];
  if (!JSON.stringify(storages).includes(DRAFT_KEY)) return;
  import("./gone-drafts.ts").then(
    (code) => code.removeGone(storages, DRAFT_KEY, frame),
    // The next page that is opened does it.
    () => undefined,
  );
}

function readDraft(stored: string | null): Draft {
  const fields = objectOf(parseJson(stored));
  const typed = textOf(fields?.["text"]) ?? "";
  const unanswered = objectsOf(fields?.["unanswered"]);
  const text = joined([...unanswered.map((message) => textOf(message["text"]) ?? ""), typed]);
  const isWhole = unanswered.length === 1 && typed === "";
  const clientMessageId = isWhole ? textOf(unanswered[0]?.["clientMessageId"]) : undefined;
  return {
    text: signal(text),
    attachments: signal<readonly Attachment[]>([]),
    unanswered: signal<readonly UnansweredMessage[]>([]),
    recent: signal<readonly string[]>([]),
    tried: signal(clientMessageId === undefined ? undefined : { clientMessageId, text }),
  };
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** Keeps texts for this tab, where no other tab changes them, and for the next tab that is opened. */
type TextStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export class TabStorage implements TextStorage {
  readonly #own: TextStorage;
  readonly #shared: TextStorage;

  /** `own` belongs to this tab, `shared` to all. */
  constructor(own: TextStorage, shared: TextStorage) {
    this.#own = own;
    this.#shared = shared;
  }

  getItem(key: string): string | null {
    return this.#own.getItem(key) ?? this.#shared.getItem(key);
  }

  setItem(key: string, text: string): void {
    this.#own.setItem(key, text);
    this.#shared.setItem(key, text);
  }

  /** The text of another tab stays. */
  removeItem(key: string): void {
    if (this.#shared.getItem(key) === this.#own.getItem(key)) this.#shared.removeItem(key);
    this.#own.removeItem(key);
  }
}
