/** The permission for one use of a tool: what it would do, and which answers there are. Pure. */
import { allow, deny, type PermissionRequest } from "../../client/answers.ts";
import { viewSuggestion } from "../../client/views/suggestion-view.ts";
import type { PermissionSuggestion } from "../../src/protocol-types.ts";
import { PREVIEWED_FIELDS } from "./comfort/edit-diff.ts";
import { type Line, line } from "./comfort/terminal-text.ts";
import { answered, formatInput, type Prompt, type PromptStep, parseYesNo } from "./prompt-step.ts";

type Offer = {
  readonly word: string;
  readonly suggestion: PermissionSuggestion;
  readonly text: string;
};

/** Asks for the permission; `preview` takes the place of the fields that it shows as a diff. */
export function permissionPrompt(request: PermissionRequest, preview?: readonly Line[]): Prompt {
  const offers = offersOf(request);
  return {
    lines: [
      line("ask", `Claude wants to use ${request.tool_name}${formatReason(request)}`),
      ...formatInput(withoutPreviewed(request.input, preview)),
      ...(preview ?? []),
      ...formatAnswers(request, offers),
    ],
    answer: (input) => answerPermission(request, offers, input.trim()),
  };
}

function withoutPreviewed(input: Readonly<Record<string, unknown>>, preview: unknown) {
  const shown = Object.entries(input).filter(
    ([name]) => preview === undefined || !PREVIEWED_FIELDS.has(name),
  );
  return Object.fromEntries(shown);
}

function formatReason(request: PermissionRequest): string {
  const reason = request["decision_reason"];
  return typeof reason === "string" && reason !== "" ? ` (${reason})` : "";
}

/** Suggestions that can be put into words, each under a word of its own: `a`, or `a1`, `a2`. */
function offersOf({ permission_suggestions, is_question }: PermissionRequest): Offer[] {
  if (is_question) return [];
  const described = (permission_suggestions ?? []).flatMap((suggestion, index) => {
    const { isKnown, text } = viewSuggestion(suggestion, index);
    return isKnown ? [{ suggestion, text: text.charAt(0).toLowerCase() + text.slice(1) }] : [];
  });
  const isOnly = described.length === 1;
  return described.map((offer, index) => ({ word: isOnly ? "a" : `a${index + 1}`, ...offer }));
}

/** A question that cannot be read is shown like a permission, but it cannot be allowed. */
function formatAnswers({ is_question }: PermissionRequest, offers: readonly Offer[]): Line[] {
  const once: [string, string][] = is_question ? [] : [["y", "yes, this once"]];
  const always = offers.map(({ word, text }): [string, string] => [word, `yes, and ${text}`]);
  const no: [string, string] = ["n", "no; or n and a reason, which Claude is told"];
  const rows = [...once, ...always, no].map(([word, text]) => `  ${word.padEnd(3)} ${text}`);
  return [line("ask", ["Allow it? Answer with one of:", ...rows].join("\n"))];
}

/** Only a whole line that is one of the answers grants. What follows a no is its reason. */
function answerPermission(
  request: PermissionRequest,
  offers: readonly Offer[],
  input: string,
): PromptStep {
  const isYes = parseYesNo(input);
  if (isYes === true && !request.is_question) return answered(allow(request));
  if (isYes === false) return answered(deny(request));
  const offer = offers.find(({ word }) => word === input.toLowerCase());
  if (offer !== undefined) return answered(allow(request, [offer.suggestion]));
  const [, reason] = /^no?[\s,:]+(.+)$/is.exec(input) ?? [];
  if (reason !== undefined) return answered(deny(request, reason));
  const words = [...(request.is_question ? [] : ["y"]), ...offers.map(({ word }) => word)];
  return {
    kind: "unclear",
    hint: `That is not one of the answers: ${[...words, "n"].join(" / ")} / n <reason>`,
  };
}
