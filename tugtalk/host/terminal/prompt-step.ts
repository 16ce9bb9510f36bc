/** A prompt as the terminal sees it: lines that ask, and what an answer does. */
import type { InboundMessage } from "../../src/types.ts";
import { type Line, line } from "./comfort/terminal-text.ts";

/** One thing that is asked. Several steps may lead to the answer of one request. */
export type Prompt = {
  readonly lines: readonly Line[];
  /** What one whole line of input means. It counts only if it is exactly one of the answers. */
  readonly answer: (input: string) => PromptStep;
};

/** What a line did: it answered the request, led to the next step, or was no answer. */
export type PromptStep =
  | { readonly kind: "answered"; readonly message: InboundMessage }
  | { readonly kind: "next"; readonly prompt: Prompt }
  | { readonly kind: "unclear"; readonly hint: string };

/** The step that ends a prompt. */
export function answered(message: InboundMessage): PromptStep {
  return { kind: "answered", message };
}

/** Yes or no, and nothing else. */
export function parseYesNo(input: string): boolean | undefined {
  switch (input.trim().toLowerCase()) {
    case "y":
    case "yes":
      return true;
    case "n":
    case "no":
      return false;
    default:
      return undefined;
  }
}

/** The choices that the numbers of a line stand for. Nothing: not numbers, or of no choice. */
export function parseNumbers<Choice>(
  input: string,
  choices: readonly Choice[],
): Choice[] | undefined {
  if (!/^[\d\s,]*\d[\d\s,]*$/.test(input)) return undefined;
  const numbers = input.split(/[\s,]+/).filter((word) => word !== "");
  const places = [...new Set(numbers.map((word) => Number(word) - 1))];
  const chosen = places.map((place) => choices[place]);
  return chosen.every((choice) => choice !== undefined) ? chosen : undefined;
}

/** The fields of what Claude sends, whole: nobody should allow what they cannot see. */
export function formatInput(fields: Readonly<Record<string, unknown>>): Line[] {
  return Object.entries(fields).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
    const separator = text.includes("\n") ? "\n    " : " ";
    return line("plain", `  ${name}:${separator}${text.replaceAll("\n", "\n    ")}`);
  });
}
