/** Where the home folder is. */
import { expect, test } from "bun:test";
import { homedir } from "node:os";
import { homeFolder } from "../home-folder.ts";

test("HOME names the home folder", () => {
  expect(homeFolder({ HOME: "/home/ada" })).toBe("/home/ada");
});

test.each([{}, { HOME: null }, { HOME: "" }])("with %j the system names the home folder", (env) => {
  expect(homeFolder(env)).toBe(homedir());
});
