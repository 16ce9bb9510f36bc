/** The default keys of a page. They are tugtalk's own: nothing of Claude's fills them. */
import { expect, test } from "bun:test";
import { KEYBINDINGS } from "../keybindings.ts";

test("the keybindings have one action for each key of a context", () => {
  const actions = KEYBINDINGS.map(({ context, key, action }) => `${context}: ${key} = ${action}`);
  expect(actions).toEqual([
    "composer: Enter = send",
    "composer: Shift+Enter = insert_newline",
    "composer: ArrowUp = previous_message",
    "composer: ArrowDown = next_message",
    "composer: / = complete_command",
    "composer: @ = complete_file",
    "composer: Shift+Tab = next_permission_mode",
    "prompt: Shift+Tab = go_to_prompt",
    "prompt: y = allow",
    "prompt: a = allow_always",
    "prompt: n = deny",
    "board: j = next_card",
    "board: k = previous_card",
    "board: l = next_column",
    "board: h = previous_column",
    "board: / = filter_sessions",
    "global: Escape = interrupt",
    "global: Ctrl+k = open_palette",
    "global: Ctrl+. = next_waiting",
    "global: p = open_prompts",
    "global: Ctrl+f = find",
    "global: w = new_session",
    "global: ? = open_help",
  ]);
  const keys = new Set(KEYBINDINGS.map(({ context, key }) => `${context} ${key}`));
  expect(keys.size).toBe(KEYBINDINGS.length);
});
