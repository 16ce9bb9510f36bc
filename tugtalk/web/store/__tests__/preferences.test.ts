/** A person's choices in the storage of a browser. */
import { expect, test } from "bun:test";
import { readPreferences } from "../preferences.ts";

const DEFAULTS = { theme: "system", hasNotifications: false } as const;

test("stored choices are read again", () => {
  const chosen = { theme: "dark", hasNotifications: true } as const;
  expect(readPreferences(chosen)).toEqual(chosen);
  expect(readPreferences({ theme: "light" })).toEqual({ ...DEFAULTS, theme: "light" });
});

test("a stored value of another shape chooses nothing", () => {
  for (const stored of [undefined, null, 7, "dark", [], {}, { theme: 7, hasNotifications: "yes" }])
    expect(readPreferences(stored)).toEqual(DEFAULTS);
});
