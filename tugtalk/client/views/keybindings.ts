/** The keys that a page may offer. A page is free to have others; none of them are Claude's. */
import type { KeybindingsConfig } from "../web-components.ts";
import { GLOBAL_KEYS, type Keys } from "./global-keys.ts";

type Keybinding = KeybindingsConfig[number];

/** The keys of one context, each with its action and description. */
function keysOf(context: Keybinding["context"], keys: Keys): KeybindingsConfig {
  return Object.entries(keys).map(([key, [action, description]]) => ({
    key,
    action,
    context,
    description,
  }));
}

/**
 * The default table. `action` is a name for the page's own use. In a text field, only Escape and the keys
 * with Ctrl work of the global keys. On a Mac, Command works like Ctrl.
 */
export const KEYBINDINGS: KeybindingsConfig = [
  ...keysOf("composer", {
    Enter: ["send", "Send the message"],
    "Ctrl+Enter": ["send_now", "Stop what runs, and send the message"],
    "Shift+Enter": ["insert_newline", "Begin a new line"],
    ArrowUp: ["previous_message", "Earlier message"],
    ArrowDown: ["next_message", "Later message"],
    "/": ["complete_command", "Slash commands"],
    "@": ["complete_file", "Files"],
    "Shift+Tab": ["next_permission_mode", "Next permission mode"],
  }),
  ...keysOf("prompt", {
    "Shift+Tab": ["go_to_prompt", "From the message field to what Claude asks"],
    y: ["allow", "Allow this once"],
    a: ["allow_always", "Allow, with the suggestion"],
    n: ["deny", "Deny, with a reason"],
  }),
  ...keysOf("board", {
    j: ["next_card", "Next session"],
    k: ["previous_card", "Previous session"],
    l: ["next_column", "Next column"],
    h: ["previous_column", "Previous column"],
    "/": ["filter_sessions", "Filter the sessions"],
  }),
  ...keysOf("global", GLOBAL_KEYS),
];
