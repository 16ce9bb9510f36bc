/** The action of each key, wherever the focus is. */
import { expect, test } from "bun:test";
import { KEYBINDINGS } from "../../../client/views/keybindings.ts";
import { ACTIONS } from "../actions.ts";
import { keyAction, keyName } from "../keyboard.ts";

const PLAIN = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test("a key has the name that the table of keys has", () => {
  expect(keyName({ ...PLAIN, key: "k", ctrlKey: true })).toBe("Ctrl+k");
  expect(keyName({ ...PLAIN, key: "K", metaKey: true, shiftKey: true })).toBe("Ctrl+k");
  expect(keyName({ ...PLAIN, key: "?", shiftKey: true })).toBe("?");
  expect(keyName({ ...PLAIN, key: "Tab", shiftKey: true })).toBe("Shift+Tab");
  expect(keyName({ ...PLAIN, key: "w", altKey: true })).toBe("Alt+w");
});

test("outside of text fields every global key has its action of the table", () => {
  expect(keyAction({ ...PLAIN, key: "w" }, false)).toBe("new_session");
  expect(keyAction({ ...PLAIN, key: "?", shiftKey: true }, false)).toBe("open_help");
  expect(keyAction({ ...PLAIN, key: "y" }, false)).toBeUndefined();
});

test("in a text field only keys with Ctrl or Command do something", () => {
  expect(keyAction({ ...PLAIN, key: "w" }, true)).toBeUndefined();
  expect(keyAction({ ...PLAIN, key: "?", shiftKey: true }, true)).toBeUndefined();
  expect(keyAction({ ...PLAIN, key: "k", metaKey: true }, true)).toBe("open_palette");
  expect(keyAction({ ...PLAIN, key: ".", ctrlKey: true }, true)).toBe("next_waiting");
});

test("every global key but Escape, which the composer has, leads to an action of the page", () => {
  const keys = KEYBINDINGS.filter(({ context }) => context === "global").map(
    ({ action }) => action,
  );
  const led = new Set(ACTIONS.flatMap(({ key }) => key ?? []));
  expect(keys.filter((action) => !led.has(action))).toEqual(["interrupt"]);
});
