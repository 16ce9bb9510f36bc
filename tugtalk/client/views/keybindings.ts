/** The keys that a page may offer. A page is free to have others; none of them are Claude's. */
import type { KeybindingsConfig } from "../../src/web-components.ts";

/** The default table. `action` is a name for the page's own use. */
export const KEYBINDINGS: KeybindingsConfig = [
  { key: "Enter", action: "send", context: "composer", description: "Send the message" },
  {
    key: "Shift+Enter",
    action: "insert_newline",
    context: "composer",
    description: "Begin a new line",
  },
  {
    key: "ArrowUp",
    action: "previous_message",
    context: "composer",
    description: "Earlier message",
  },
  { key: "ArrowDown", action: "next_message", context: "composer", description: "Later message" },
  { key: "/", action: "complete_command", context: "composer", description: "Slash commands" },
  { key: "@", action: "complete_file", context: "composer", description: "Files" },
  {
    key: "Shift+Tab",
    action: "next_permission_mode",
    context: "composer",
    description: "Next permission mode",
  },
  { key: "y", action: "allow", context: "prompt", description: "Allow this once" },
  {
    key: "a",
    action: "allow_always",
    context: "prompt",
    description: "Allow, with the suggestion",
  },
  { key: "n", action: "deny", context: "prompt", description: "Refuse" },
  { key: "Escape", action: "interrupt", context: "global", description: "Stop the turn" },
  { key: "Ctrl+k", action: "open_palette", context: "global", description: "Commands of the page" },
  { key: "?", action: "open_help", context: "global", description: "Help and these keys" },
];
