/** What stays in a recording, whatever it looks like. Every secret and every name is made up. */
import { expect, test } from "bun:test";
import { Masks } from "../masks.ts";

const ID = "550e8400-e29b-41d4-a716-446655440000";

test.each([
  [{ type: "user_message", delivery: "steer" }, "steer"],
  [{ type: "session_command", command: "fork" }, "fork"],
  [{ type: "permission_mode", mode: "plan" }, "plan"],
  [{ type: "system", subtype: "status", permissionMode: "plan" }, "plan"],
  [{ args: ["--permission-mode=plan"] }, "plan"],
  [{ type: "model_change", model: "opus" }, "opus"],
  [{ type: "protocol_init", options: { effort: "max" } }, "max"],
  [{ type: "elicitation_answer", action: "accept" }, "accept"],
])("%j stays that message where the person is called %s", (said, name) => {
  const masks = new Masks({ env: {}, names: [name] });
  expect<unknown>(masks.maskValue(said)).toBe(said);
  expect(masks.maskValue({ ...said, text: name })).toEqual({
    ...said,
    text: "*".repeat(name.length),
  });
});

test("a word that is none of the wire is masked there too", () => {
  const masks = new Masks({ env: {}, names: ["maxine"] });
  expect(masks.maskValue({ command: "maxine", model: "x-maxine", action: "ls maxine" })).toEqual({
    command: "******",
    model: "x-******",
    action: "ls ******",
  });
});

test.each([
  "session_id",
  "message_id",
  "uuid",
  "request_id",
  "parent_tool_use_id",
  "id",
  "in_reply_to",
  "at_message",
  "parentUuid",
])("a UUID in %s is an id, even if the environment has the same", (name) => {
  const masks = new Masks({ env: { A_KEY: ID }, names: [] });
  const said = { [name]: ID, nested: [{ [name]: ID }] };
  expect(masks.maskValue(said)).toBe(said);
  expect(masks.maskValue({ [name]: `${ID}!`, env: { [name]: ID } })).toEqual({
    [name]: expect.stringMatching(/^\[secret-1\*+\]!$/),
    env: { [name]: expect.stringMatching(/^\[secret-1\*+\]$/) },
  });
  expect(JSON.stringify(masks.maskValue({ text: ID, secret_id: ID }))).not.toContain(ID);
});

test("an id that was looked up, or is an argument, stays", () => {
  const masks = new Masks({ env: { A_KEY: ID }, names: [] });
  expect(masks.maskValue(ID)).toBe(ID);
  const args = [`--session-id=${ID}`, `--resume=${ID}`, `--resume-session-at=${ID}`];
  expect(masks.maskValue(args)).toBe(args);
});

const PICTURE = `iVBORw0KGgoAAAANSUhEUgAA+bob/AAA+++/AIza${"A".repeat(40)}`;

test.each([
  { attachments: [{ filename: "a.png", media_type: "image/png", content: PICTURE }] },
  { source: { type: "base64", media_type: "image/png", data: PICTURE } },
  { source: { type: "base64", media_type: "application/pdf", data: `${PICTURE}AA==` } },
])("%j, which is a file as base64, stays, whatever its letters look like", (said) => {
  expect<unknown>(new Masks({ env: {}, names: ["bob"] }).maskValue(said)).toBe(said);
});

test.each([
  { media_type: "text/plain", content: PICTURE },
  { media_type: "image/png", filename: PICTURE },
  { media_type: "image/png", content: `${PICTURE}.` },
  { type: "image/png", content: PICTURE },
])("%j is no file as base64, and is masked", (said) => {
  expect(JSON.stringify(new Masks({ env: {}, names: ["bob"] }).maskValue(said))).not.toContain(
    "bob",
  );
});
