/** Plans: the ways out of plan mode, and the answers that Claude gets. */
import { expect, test } from "bun:test";
import type { ClientRequest } from "../step.ts";
import { allow, deny, MODE, plan } from "./support/asked.ts";
import {
  act,
  choose,
  FAILED,
  FORMS,
  fill,
  NOT_OFFERED,
  optionsOf,
  walk,
} from "./support/dialogue.ts";

test("a plan is asked for with its text, and with every way out of plan mode", () => {
  const { requests } = walk(plan, FORMS);
  expect(optionsOf(requests)).toEqual([
    "approve-0: Carry out the plan, and edit files without asking",
    "approve-1: Carry out the plan, and ask as usual",
    "reject: No, keep planning",
    "reject-why: No, and say why",
  ]);
  const [{ params }] = requests as [ClientRequest];
  expect(Object(params)["toolCall"].rawInput.plan).toBe("1. Do it.");
  const texts = JSON.stringify(Object(params)["toolCall"].content);
  expect(texts).toContain("1. Do it.");
  expect(texts).toContain("run the tests");
});

const KEEP = expect.stringContaining("keep planning");

test.each([
  [[choose("approve-0")], { ...allow, updatedPermissions: [MODE] }],
  [[choose("approve-1")], allow],
  [[choose("reject")], deny(KEEP)],
  [[choose("reject-why"), fill({ reason: "too long" })], deny("too long")],
  [[choose("reject-why"), act("cancel")], deny(KEEP)],
  [[choose("allow")], deny(NOT_OFFERED)],
  [["failed" as const], deny(FAILED)],
])("%j of a plan is %j", (replies, answer) => {
  expect(walk(plan, FORMS, ...replies).answer).toEqual(answer);
});
