/** Keys as a person knows them. */
import { expect, test } from "bun:test";
import { keyParts } from "../key-view.tsx";

test("a key is named as it is printed on the keyboard of the system", () => {
  expect(keyParts("Ctrl+k", "Linux x86_64")).toEqual(["Ctrl", "K"]);
  expect(keyParts("Ctrl+k", "MacIntel")).toEqual(["⌘", "K"]);
  expect(keyParts("Escape", "Win32")).toEqual(["Esc"]);
  expect(keyParts("?", "Win32")).toEqual(["?"]);
});
