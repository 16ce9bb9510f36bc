/** Control messages as Claude reads them (§2b–2f, §5b). */
import { describe, expect, test } from "bun:test";
import {
  DEFAULT_DENIAL,
  formatPermissionAllow,
  formatPermissionDeny,
  formatQuestionAnswer,
  formatRefusal,
  generateRequestId,
  sendControlRequest,
  sendControlResponse,
} from "../control.ts";
import type { AskUserQuestionInput } from "../protocol-types.ts";

/** What one call writes. */
function writtenBy(send: (stdin: { writeLine: (line: string) => void }) => void): string[] {
  const lines: string[] = [];
  send({ writeLine: (line) => void lines.push(line) });
  return lines;
}

describe("formatPermissionAllow", () => {
  test("says behavior and the whole input", () => {
    expect(formatPermissionAllow("r", { file_path: "a" })).toEqual({
      subtype: "success",
      request_id: "r",
      response: { behavior: "allow", updatedInput: { file_path: "a" } },
    });
  });

  test("has updatedPermissions only where there are some", () => {
    const rule = { type: "setMode", mode: "acceptEdits", destination: "session" } as const;
    expect(formatPermissionAllow("r", {}, [rule])).toHaveProperty("response.updatedPermissions", [
      rule,
    ]);
    expect(formatPermissionAllow("r", {})).not.toHaveProperty("response.updatedPermissions");
  });
});

describe("formatPermissionDeny", () => {
  test("says behavior and message", () => {
    expect(formatPermissionDeny("r", "not now")).toEqual({
      subtype: "success",
      request_id: "r",
      response: { behavior: "deny", message: "not now" },
    });
  });

  test("without a message has the words at which Claude stops", () => {
    expect(formatPermissionDeny("r")).toHaveProperty("response.message", DEFAULT_DENIAL);
    expect(DEFAULT_DENIAL).toStartWith("The user doesn't want to proceed with this tool use.");
    expect(DEFAULT_DENIAL).toContain("STOP what you are doing and wait for the user");
  });

  test("an empty message is a message", () => {
    expect(formatPermissionDeny("r", "")).toHaveProperty("response.message", "");
  });

  test.each([true, false])("interrupt %p is passed on", (interrupt) => {
    expect(formatPermissionDeny("r", "no", interrupt)).toHaveProperty(
      "response.interrupt",
      interrupt,
    );
  });
});

const QUESTIONS: AskUserQuestionInput = {
  questions: [
    { question: "Which DB?", options: [{ label: "PG" }] },
    {
      question: "Which colours?",
      multiSelect: true,
      options: [{ label: "Red" }, { label: "Sea, green" }],
    },
  ],
  metadata: { kept: true },
};

type Answers = Parameters<typeof formatQuestionAnswer>[2]["answers"];
const SHAPES: readonly (readonly [name: string, answers: Answers, written: Answers])[] = [
  ["a single answer is a string", { "Which DB?": "PG" }, { "Which DB?": "PG" }],
  [
    "several labels are an array, also with commas in them",
    { "Which colours?": ["Red", "Sea, green"] },
    { "Which colours?": ["Red", "Sea, green"] },
  ],
  [
    "one string for a multi-select question becomes an array of one",
    { "Which colours?": "Sea, green" },
    { "Which colours?": ["Sea, green"] },
  ],
  ["no label at all stays an empty array", { "Which colours?": [] }, { "Which colours?": [] }],
  [
    "free text is passed on as it is",
    { "Which DB?": "neither, both" },
    { "Which DB?": "neither, both" },
  ],
];

describe("formatQuestionAnswer", () => {
  test.each([...SHAPES])("%s", (_name, answers, written) => {
    expect(formatQuestionAnswer("r", QUESTIONS, { answers })).toEqual({
      subtype: "success",
      request_id: "r",
      response: { behavior: "allow", updatedInput: { ...QUESTIONS, answers: written } },
    });
  });

  test("annotations and a free response go beside the answers, where there are some", () => {
    const annotations = { "Which DB?": { notes: "n" } };
    const answer = formatQuestionAnswer("r", QUESTIONS, {
      answers: {},
      annotations,
      response: "hm",
    });
    expect(answer).toHaveProperty("response.updatedInput", {
      ...QUESTIONS,
      answers: {},
      annotations,
      response: "hm",
    });
  });
});

test("formatRefusal says why, with a code that Claude may act on", () => {
  expect(formatRefusal("r", "no such thing")).toEqual({
    subtype: "error",
    request_id: "r",
    error: "no such thing",
    error_code: "unsupported_request",
  });
});

test("sendControlRequest writes one line with request_id and request.subtype", () => {
  const lines = writtenBy((stdin) =>
    sendControlRequest(stdin, "r", { subtype: "set_model", model: null }),
  );
  expect(lines).toEqual([
    '{"type":"control_request","request_id":"r","request":{"subtype":"set_model","model":null}}',
  ]);
});

test("sendControlResponse writes one line with response.subtype and response.request_id", () => {
  const lines = writtenBy((stdin) => sendControlResponse(stdin, formatPermissionDeny("r", "a\nb")));
  expect(lines).toEqual([
    '{"type":"control_response","response":{"subtype":"success","request_id":"r","response":{"behavior":"deny","message":"a\\nb"}}}',
  ]);
});

test("generateRequestId never gives the same id twice", () => {
  const ids = Array.from({ length: 1000 }, generateRequestId);
  expect(new Set(ids).size).toBe(1000);
});
