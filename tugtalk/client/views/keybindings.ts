/** The keys that a page may offer. A page is free to have others; none of them are Claude's. */
import type { KeybindingsConfig } from "../../src/web-components.ts";

/**
 * The default table. `action` is a name for the page's own use. In a text field, of the global keys only
 * Escape and those with Ctrl work; on a Mac, Command does what Ctrl does.
 */
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
  {
    key: "Shift+Tab",
    action: "go_to_prompt",
    context: "prompt",
    description: "From the message field to what Claude asks",
  },
  { key: "y", action: "allow", context: "prompt", description: "Allow this once" },
  {
    key: "a",
    action: "allow_always",
    context: "prompt",
    description: "Allow, with the suggestion",
  },
  { key: "n", action: "deny", context: "prompt", description: "Deny, with a reason" },
  { key: "j", action: "next_card", context: "board", description: "Next session" },
  { key: "k", action: "previous_card", context: "board", description: "Previous session" },
  { key: "l", action: "next_column", context: "board", description: "Next column" },
  { key: "h", action: "previous_column", context: "board", description: "Previous column" },
  { key: "/", action: "filter_sessions", context: "board", description: "Filter the sessions" },
  { key: "Escape", action: "interrupt", context: "global", description: "Stop the turn" },
  { key: "Ctrl+k", action: "open_palette", context: "global", description: "Commands of the page" },
  {
    key: "Ctrl+.",
    action: "next_waiting",
    context: "global",
    description: "Next session that waits for you",
  },
  {
    key: "p",
    action: "open_prompts",
    context: "global",
    description: "What other sessions ask",
  },
  { key: "Ctrl+f", action: "find", context: "global", description: "Find in the conversation" },
  { key: "w", action: "new_session", context: "global", description: "New session" },
  { key: "?", action: "open_help", context: "global", description: "Help and these keys" },
];
