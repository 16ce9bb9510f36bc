/** The keys that work everywhere on a page. */

/** Each key with its action and a description for people. */
export type Keys = Readonly<Record<string, readonly [action: string, description: string]>>;

export const GLOBAL_KEYS: Keys = {
  Escape: ["interrupt", "Stop the turn"],
  "Ctrl+k": ["open_palette", "Commands of the page"],
  "Ctrl+.": ["next_waiting", "Next session that waits for you"],
  p: ["open_prompts", "What other sessions ask"],
  "Ctrl+f": ["find", "Find in the conversation"],
  s: ["search", "Search in all sessions"],
  w: ["new_session", "New session"],
  "?": ["open_help", "Help and these keys"],
};
