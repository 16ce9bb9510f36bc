/** Forms and pages of MCP servers, and the answers that the servers get. */
import { expect, test } from "bun:test";
import { form, page } from "./support/asked.ts";
import { act, choose, FORMS, fill, optionsOf, PLAIN, walk } from "./support/dialogue.ts";

test("the form of a server keeps the parts that the protocol has, and nothing else", () => {
  const { requests } = walk(form(["size"]), FORMS);
  expect(requests).toEqual([
    {
      method: "elicitation/create",
      params: {
        mode: "form",
        sessionId: "s",
        message: "orders: What?",
        requestedSchema: {
          type: "object",
          required: ["size"],
          properties: {
            size: {
              ...{ type: "string", title: "size", default: "M" },
              oneOf: [
                { const: "S", title: "small" },
                { const: "M", title: "medium" },
              ],
            },
            urgent: { type: "boolean", title: "urgent" },
            extras: {
              ...{ type: "array", title: "extras", minItems: 1 },
              items: {
                anyOf: [
                  { const: "a", title: "a" },
                  { const: "b", title: "b" },
                ],
              },
            },
            code: { type: "string", title: "code", pattern: "^x", minLength: 2 },
            mail: { type: "string", title: "mail", format: "email" },
            count: { type: "integer", title: "count", minimum: 1, default: 3 },
          },
        },
      },
    },
  ]);
});

const given = (content?: object) => ({
  ...{ type: "elicitation_answer", action: "accept" },
  ...(content && { content }),
});
const refused = (action: string) => ({ type: "elicitation_answer", action });

test.each([
  [form([]), [fill({ size: "S" })], given({ size: "S" })],
  [form([]), [{ result: { action: "accept" } }], given({})],
  [form([]), [act("decline")], refused("decline")],
  [form([]), [act("cancel")], refused("cancel")],
  [form([]), [act("yes")], refused("cancel")],
  [form([]), ["failed" as const], refused("cancel")],
  [page, [act("accept")], given()],
  [page, [act("decline")], refused("decline")],
])("%j with %j gives the server %j", (asked, replies, answer) => {
  expect(walk(asked, FORMS, ...replies).answer).toEqual(answer);
});

test("without forms a server's fields are options one after the other, as far as they have any", () => {
  const extras = [choose("option-1"), choose("done")];
  const replies = [choose("skip"), choose("option-0"), ...extras];
  const { requests, answer } = walk(form(["urgent", "extras"]), PLAIN, ...replies);
  expect(answer).toEqual(given({ size: "M", code: 7, count: 3, urgent: true, extras: ["b"] }));
  const names = requests.map((_, index) => optionsOf(requests.slice(0, index + 1)));
  expect(names.slice(0, 3)).toEqual([
    ["option-0: small", "option-1: medium", "skip: Keep: M", "decline: Decline"],
    ["option-0: Yes", "option-1: No", "decline: Decline"],
    ["option-0: ☐ a", "option-1: ☐ b", "decline: Decline"],
  ]);
});

test.each([
  [form(["mail"]), "decline", refused("decline")],
  [form([], {}), "accept", given({})],
  [form([], {}), "decline", refused("decline")],
  [form([]), "?", refused("cancel")],
  [page, "accept", given()],
  [page, "decline", refused("decline")],
])("without forms %j with %j gives the server %j", (asked, option, answer) => {
  expect(walk(asked, PLAIN, choose(option)).answer).toEqual(answer);
});
