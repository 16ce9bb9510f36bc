/** The effect of going back to before a message, done or possible. Types only. */

/** Files with their texts of before a message. Files that only commands have changed are not among them. */
export type RewoundFiles = {
  readonly paths: readonly string[];
  /** Lines that come back. */
  readonly insertions: number;
  /** Lines that go. */
  readonly deletions: number;
};

/** Whether files and conversation can go back to before a message, and why not. */
export type RewindPreview = {
  readonly files: (RewoundFiles & { readonly ok: true }) | Refused;
  readonly conversation: { readonly ok: true } | Refused;
};

type Refused = { readonly ok: false; readonly error: string };
