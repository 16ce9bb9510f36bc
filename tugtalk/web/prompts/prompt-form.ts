/**
 * The typed text for a prompt, and the progress of the answer. Both outlive the drawing of the prompt. The
 * text also outlives a reload of the tab.
 */
import { type Signal, signal } from "@preact/signals";
import { objectOf, parseJson } from "../../client/claude-value.ts";
import { CommandError } from "../../client/transports/transport.ts";
import { errorText } from "../store/toasts.ts";

/** By the name of the field. */
export type Draft = Readonly<Record<string, unknown>>;

/** `sent`: the host has confirmed the answer, or knows another one. */
type Phase = "open" | "sending" | "sent";

export class PromptForm {
  readonly #key: string;
  readonly draft: Signal<Draft>;
  readonly phase = signal<Phase>("open");
  /** Why the answer has failed. */
  readonly problem = signal<string | undefined>(undefined);

  constructor(key: string) {
    this.#key = key;
    this.draft = signal(readDraft(sessionStorage.getItem(key)));
  }

  set(fields: Draft): void {
    this.draft.value = { ...this.draft.value, ...fields };
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(this.draft.value));
    } catch {
      // The storage is full or forbidden: the text lives as long as the page.
    }
  }

  /** Sends the answer once; after a failure it can be sent again. */
  async send(run: () => Promise<unknown>): Promise<void> {
    if (this.phase.value !== "open") return;
    this.phase.value = "sending";
    this.problem.value = undefined;
    try {
      await run();
      this.#close();
    } catch (error) {
      this.problem.value = describeFailure(error);
      if (isClosedAlready(error)) this.#close();
      else this.phase.value = "open";
    }
  }

  #close(): void {
    this.phase.value = "sent";
    sessionStorage.removeItem(this.#key);
  }
}

function isClosedAlready(error: unknown): error is CommandError {
  return error instanceof CommandError && error.code === "already_resolved";
}

/** One sentence without a full stop. */
export function describeFailure(error: unknown): string {
  if (!isClosedAlready(error)) return errorText(error);
  const { by, outcome } = error.body;
  if (typeof by === "string") return `Answered by ${by} already`;
  return outcome === "cancelled" ? "Claude does not wait for it any more" : "Answered already";
}

export function readDraft(stored: string | null): Draft {
  return objectOf(parseJson(stored)) ?? {};
}

/** The forms of the open prompts, so that a prompt has one wherever it is drawn. */
const forms = new Map<string, PromptForm>();

export function formOf(sessionId: string, requestId: string): PromptForm {
  const key = `tugtalk.prompt.${sessionId}.${requestId}`;
  const known = forms.get(key);
  if (known !== undefined) return known;
  const form = new PromptForm(key);
  forms.set(key, form);
  return form;
}
