/** Permissions: their options, and the answers that Claude gets. */
import { expect, test } from "bun:test";
import { type ClaudeRequest, firstStep } from "../first-step.ts";
import type { Reply } from "../step.ts";
import { allow, bash, deny, MODE, permission, RULE } from "./support/asked.ts";
import {
  act,
  audience,
  choose,
  DISMISSED,
  FAILED,
  FORMS,
  fill,
  INVALID,
  NOT_OFFERED,
  optionsOf,
  PLAIN,
  walk,
} from "./support/dialogue.ts";

test("a permission offers once, each rule alone in words, all of them, no, and a reason where there are forms", () => {
  const plain = [
    "allow: Allow once",
    "allow-0: Allow the Bash command `make` in this project, saved in .claude/settings.local.json for you",
    "allow-2: Switch to the permission mode Accept edits (Claude edits files of the project without asking) for this session",
    "allow-all: All of these",
    "reject: No",
  ];
  expect(optionsOf(walk(bash, PLAIN).requests)).toEqual(plain);
  expect(optionsOf(walk(bash, FORMS).requests)).toEqual([...plain, "reject-why: No, and say why"]);
  expect(optionsOf(walk(permission({}), PLAIN).requests)).toEqual([
    "allow: Allow once",
    "reject: No",
  ]);
});

test("a permission repeats the content of the call, and says why a person is asked", () => {
  const content = (asked: ClaudeRequest, features: object, before?: string) => {
    const step = firstStep({ ...audience, features: { ...PLAIN, ...features } }, asked, before);
    return "request" in step ? Object(step.request.params)["toolCall"].content : undefined;
  };
  const why = { type: "content", content: { type: "text", text: "It is outside." } };
  const path = "/etc/motd";
  const write = permission({ tool_name: "Write", input: { file_path: path, content: "b\n" } });
  const reasoned = { ...write, decision_reason: "It is outside." } as ClaudeRequest;
  const diff = { type: "diff", path, oldText: "a\n", newText: "b\n" };
  expect(content(write, {}, "a\n")).toEqual([diff]);
  expect(content(reasoned, {}, "a\n")).toEqual([diff, why]);
  expect(content(bash, { terminals: true })).toEqual([{ type: "terminal", terminalId: "t" }]);
  expect(content(bash, {})).toBeUndefined();
});

const WRONG: readonly (readonly [reply: Reply, why: string])[] = [
  ["failed", FAILED],
  [{ result: { outcome: { outcome: "cancelled" } } }, DISMISSED],
  [choose("allow-7"), NOT_OFFERED],
  [choose("allow-1"), NOT_OFFERED],
  [choose("constructor"), NOT_OFFERED],
  [{ result: null }, INVALID],
  [{ result: [] }, INVALID],
  [{ result: { outcome: "allow" } }, INVALID],
  [{ result: { outcome: { outcome: "selected", optionId: 0 } } }, INVALID],
  [{ result: { outcome: { outcome: "allowed", optionId: "allow" } } }, INVALID],
];

const DECISIONS: readonly (readonly [replies: readonly Reply[], answer: object])[] = [
  [[choose("allow")], allow],
  [[choose("allow-0")], { ...allow, updatedPermissions: [RULE] }],
  [[choose("allow-2")], { ...allow, updatedPermissions: [MODE] }],
  [[choose("allow-all")], { ...allow, updatedPermissions: [RULE, MODE] }],
  [[choose("reject")], deny()],
  [[choose("reject-why"), fill({ reason: " use npm " })], deny("use npm")],
  [[choose("reject-why"), fill({ reason: " " })], deny()],
  [[choose("reject-why"), fill({ reason: 7 })], deny()],
  ...[act("decline"), act("cancel"), act("?"), "failed" as const].map(
    (reply) => [[choose("reject-why"), reply], deny()] as const,
  ),
  ...WRONG.map(([reply, why]) => [[reply], deny(why)] as const),
];

test.each([...DECISIONS])("%j of a permission is %j", (replies, answer) => {
  expect(walk(bash, FORMS, ...replies).answer).toEqual(answer);
});
