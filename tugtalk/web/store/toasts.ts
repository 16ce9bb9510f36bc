/** Short notices of the page itself, for example about a command that failed. */
import { signal } from "@preact/signals";

export type Toast = {
  readonly key: number;
  readonly severity: "info" | "error";
  readonly text: string;
  /**
   * About a setting that may change again: it leaves also with an action, and the next passing notice
   * replaces it.
   */
  readonly isPassing?: true;
  /** It is about the page, and not about the shown session or board. */
  readonly isOfPage?: true;
  readonly action?: { readonly label: string; readonly run: () => void };
};

/** How long a notice without an action is shown: a failure takes longer to read. */
const SHOWN_MS = { info: 6_000, error: 20_000 } as const;

export class Toasts {
  readonly shown = signal<readonly Toast[]>([]);
  readonly #held = new Set<number>();
  #lastKey = 0;

  /** The new notice replaces one with the same text. A passing notice also replaces a passing one. */
  show(toast: Omit<Toast, "key">): void {
    this.#lastKey += 1;
    const key = this.#lastKey;
    const { text, severity, action, isPassing = false } = toast;
    const others = this.shown.value.filter(
      (other) => other.text !== text && !(isPassing && other.isPassing),
    );
    this.shown.value = [...others, { ...toast, key }];
    if (action === undefined || isPassing) this.#expire(key, SHOWN_MS[severity]);
  }

  /** Keeps it for as long as a person is at one of its buttons. */
  hold(key: number, isHeld: boolean): void {
    if (isHeld) this.#held.add(key);
    else this.#held.delete(key);
  }

  #expire(key: number, shownMs: number): void {
    setTimeout(() => {
      if (this.#held.has(key)) this.#expire(key, shownMs);
      else this.dismiss(key);
    }, shownMs);
  }

  /** The result; undefined if the task fails, and then the reason is shown. */
  async attempt<Result>(task: Promise<Result>): Promise<Result | undefined> {
    try {
      return await task;
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** Shows why something failed. */
  fail(error: unknown): void {
    this.show({ severity: "error", text: errorText(error) });
  }

  /** Another session is shown: notices about the former one leave. */
  leave(): void {
    this.shown.value = this.shown.value.filter(({ isOfPage }) => isOfPage === true);
  }

  dismiss(key: number): void {
    this.shown.value = this.shown.value.filter((toast) => toast.key !== key);
  }
}

/** Why something failed. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
