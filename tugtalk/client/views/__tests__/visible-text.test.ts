/** Characters that could hide something from a person who is asked to allow it. */
import { expect, test } from "bun:test";
import { showHidden } from "../visible-text.ts";

test.each([
  ["an escape sequence", "ls\u001b[2K", "ls\\u{1b}[2K"],
  ["a carriage return", "rm -rf /\rls", "rm -rf /\\u{d}ls"],
  ["text from right to left", "a\u202eb\u2066c", "a\\u{202e}b\\u{2066}c"],
  ["a space without a width", "r\u200bm", "r\\u{200b}m"],
  ["tags that spell words", "ls\u{e0041}", "ls\\u{e0041}"],
])("%s is shown by its code", (_name, text, shown) => {
  expect(showHidden(text)).toBe(shown);
});

test.each([
  ["lines and tabs", "a\n\tb"],
  ["lines of Windows", "a\r\nb\r"],
  ["other scripts", "می‌خواهم こんにちは"],
  ["joined emoji", "👩‍💻"],
])("%s stay as they are", (_name, text) => {
  expect(showHidden(text)).toBe(text);
});
