import { expect, test } from "bun:test";
import { type Choice, draftOf, firstUnanswered } from "../question-answers.ts";

const MANY = { question: "Many?", isMultiSelect: true, options: [{ label: "A" }, { label: "B" }] };
const NONE: Choice = { labels: [], isOther: false, other: "" };

test.each([
  ["nothing is chosen", NONE, false],
  ["a label is chosen", { ...NONE, labels: ["A"] }, true],
  ["an own text is typed", { ...NONE, isOther: true, other: "C" }, true],
  ["the own text is blank", { ...NONE, labels: ["A"], isOther: true, other: " " }, false],
  ["an own text is typed but not chosen", { ...NONE, other: "C" }, false],
  ["the label is none of the options", { ...NONE, labels: ["C"] }, false],
])("whether a question is answered: %s", (_name, choice, expected) => {
  expect(firstUnanswered([MANY], draftOf(0, choice))).toBe(expected ? -1 : 0);
});
