import { expect, test } from "bun:test";
import {
  answersOf,
  type Choice,
  choiceOf,
  chosenTexts,
  draftOf,
  isComplete,
  withLabel,
  withOther,
} from "../question-answers.ts";

const ONE = { question: "One?", isMultiSelect: false, options: [{ label: "A" }, { label: "B" }] };
const MANY = { question: "Many?", isMultiSelect: true, options: [{ label: "A" }, { label: "B" }] };
const NONE: Choice = { labels: [], isOther: false, other: "" };

test("a label takes the place of another one, or of the own text, where one answer is wanted", () => {
  const first = withLabel(NONE, "A", false);
  expect(chosenTexts(ONE, withLabel(first, "B", false))).toEqual(["B"]);
  const other = withOther({ ...first, other: "C" }, true, false);
  expect(chosenTexts(ONE, other)).toEqual(["C"]);
  expect(chosenTexts(ONE, withLabel(other, "A", false))).toEqual(["A"]);
});

test("labels are added and taken away where several answers are wanted, and come in the order of the options", () => {
  const both = withLabel(withLabel(NONE, "B", true), "A", true);
  const other = withOther({ ...both, other: " C " }, true, true);
  expect(chosenTexts(MANY, other)).toEqual(["A", "B", "C"]);
  expect(chosenTexts(MANY, withLabel(other, "A", true))).toEqual(["B", "C"]);
});

test.each([
  ["nothing is chosen", NONE, false],
  ["a label is chosen", { ...NONE, labels: ["A"] }, true],
  ["an own text is typed", { ...NONE, isOther: true, other: "C" }, true],
  ["the own text is blank", { ...NONE, labels: ["A"], isOther: true, other: " " }, false],
  ["an own text is typed but not chosen", { ...NONE, other: "C" }, false],
  ["the label is none of the options", { ...NONE, labels: ["C"] }, false],
])("whether a question is answered: %s", (_name, choice, expected) => {
  expect(isComplete([MANY], draftOf(0, choice))).toBe(expected);
});

test("the answers are texts and lists by the question, also after the draft was stored", () => {
  const draft = {
    ...draftOf(0, { ...NONE, labels: ["B"] }),
    ...draftOf(1, { ...NONE, labels: ["A"], isOther: true, other: "C" }),
  };
  const stored = JSON.parse(JSON.stringify(draft));
  expect(choiceOf(stored, 1)).toEqual({ labels: ["A"], isOther: true, other: "C" });
  expect(answersOf([ONE, MANY], stored)).toEqual({ "One?": "B", "Many?": ["A", "C"] });
});
