/** Short notices of the page itself, such as a command that failed. */
import { signal } from "@preact/signals";

export type Toast = {
  readonly key: number;
  readonly severity: "info" | "error";
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
};

/** For how long one is shown that needs nothing done. */
const SHOWN_MS = 6_000;

export class Toasts {
  readonly shown = signal<readonly Toast[]>([]);
  #lastKey = 0;

  /** One with the same text as another takes its place. */
  show(toast: Omit<Toast, "key">): void {
    this.#lastKey += 1;
    const key = this.#lastKey;
    const others = this.shown.value.filter(({ text }) => text !== toast.text);
    this.shown.value = [...others, { ...toast, key }];
    if (toast.severity === "info" && toast.action === undefined)
      setTimeout(() => this.dismiss(key), SHOWN_MS);
  }

  /** What comes of it; undefined if it fails, and then it is shown why. */
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

  dismiss(key: number): void {
    this.shown.value = this.shown.value.filter((toast) => toast.key !== key);
  }
}

/** Why something failed. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
