/**
 * View models of the requests to a person: the open prompts of a session, and the parts of the dialogs
 * that a page draws for them. Types only.
 */

import type { AskUserQuestionInput, PermissionSuggestion } from "../src/protocol-types.ts";
import type { Fields } from "./claude-value.ts";

/** A prompt that waits for a person, with Claude's values. `viewPrompt` makes a dialog of it. */
export type OpenPrompt = PermissionPrompt | QuestionPrompt | ElicitationPrompt | DialogPrompt;

export type PromptFields = {
  readonly requestId: string;
  /** Absent for a prompt of background work. */
  readonly turnId?: string;
  /** The tool call of the agent that asks; absent for the main conversation. */
  readonly parentToolUseId?: string;
  readonly toolUseId?: string;
  /** Milliseconds since 1970, if a host gives it. */
  readonly createdAt?: number;
};

export type PermissionPrompt = PromptFields & {
  readonly kind: "permission";
  readonly toolName: string;
  readonly input: Fields;
  /** The plan that is to be approved. */
  readonly plan?: string;
  /** Claude's name of the tool. */
  readonly displayName?: string;
  /** The subject of the call in a few words, by Claude: a file, an address, the purpose of a command. */
  readonly description?: string;
  readonly decisionReason?: string | undefined;
  readonly blockedPath?: string | undefined;
  /** As Claude sent them. The accepted suggestions go back to Claude in `updatedPermissions`. */
  readonly permissionSuggestions: readonly PermissionSuggestion[];
};

export type QuestionPrompt = PromptFields & {
  readonly kind: "question";
  readonly toolName: string;
  /** The questions that can be shown; `input` has all of them. */
  readonly questions: AskUserQuestionInput["questions"];
  readonly input: Fields;
};

/** A form of an MCP server, or a page of it to visit. */
export type ElicitationPrompt = PromptFields & {
  readonly kind: "elicitation";
  readonly serverName: string;
  readonly message: string;
  readonly url?: string;
  /** JSON schema of the content to answer with. */
  readonly requestedSchema?: Fields;
  /** The names of the fields in the order in which the server wants them shown. */
  readonly propertyOrder?: readonly string[];
};

/** A dialog of a kind that the host declared. */
export type DialogPrompt = PromptFields & {
  readonly kind: "dialog";
  readonly dialogKind: string;
  readonly payload: Fields;
};

/** A tool under the name that a person reads; hidden characters of label and server are shown. */
export type ToolName = {
  /** Claude's name: `Bash`, `mcp__tide__wait`. */
  readonly name: string;
  /** `Bash`, `wait`. */
  readonly label: string;
  /** The MCP server that has it: `tide`. */
  readonly server?: string;
};

/** A value under a name, as text. */
export type NamedText = { readonly name: string; readonly text: string };

/** One hunk of a diff; each line begins with a space, `-`, `+` or `\`. */
export type DiffHunk = {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
};

/** The effect of accepting a suggestion. */
export type SuggestionView = {
  /** Its place in `permissionSuggestions`. */
  readonly index: number;
  /** False: a kind that cannot be described, which a page should not offer. */
  readonly isKnown: boolean;
  /** One sentence without a full stop: the calls that it allows or the change, where, and for how long. */
  readonly text: string;
  /** The settings file that is written; absent if no file is written. */
  readonly file?: string;
  /** How a person takes it back, as one sentence. */
  readonly revoke: string;
};

export type QuestionView = {
  /** The text of the question, which is its key in `answers`. */
  readonly question: string;
  /** A word or two. */
  readonly header?: string;
  /** Several options may be chosen; the answer is then a list of labels. */
  readonly isMultiSelect: boolean;
  readonly options: readonly QuestionOption[];
};

export type QuestionOption = {
  /** The answer if it is chosen. */
  readonly label: string;
  readonly description?: string;
  /** Markdown that shows the meaning of the option. */
  readonly preview?: string;
};

/** A way to approve a plan, with the `updatedPermissions` to send. */
export type PlanApproval = {
  readonly text: string;
  readonly updatedPermissions: readonly PermissionSuggestion[];
};

/** A plan that Claude wants to carry out. A refusal with a reason makes Claude go on planning. */
export type PlanCardData = PromptFields & {
  readonly kind: "plan";
  readonly toolName: string;
  /** Markdown. Absent if Claude sent none. */
  readonly plan?: string;
  /** The file that holds the plan. */
  readonly planFilePath?: string;
  /** The calls that Claude asks to make without further prompts. */
  readonly requests: readonly { readonly tool: string; readonly prompt: string }[];
  readonly approvals: readonly PlanApproval[];
};

/** One field of a form. */
export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly kind: "text" | "number" | "integer" | "boolean" | "choice" | "choices";
  readonly isRequired: boolean;
  /** The initial value. */
  readonly initial?: unknown;
  /** For `choice` and `choices`: the values to send, and their labels. */
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** For `text`: `email`, `uri`, `date` or `date-time`. */
  readonly format?: string;
  /** The smallest and largest number, length of a text, or number of choices. */
  readonly min?: number;
  readonly max?: number;
};

/** A form of an MCP server, or a page to open. */
export type ElicitationFormData = Omit<ElicitationPrompt, "requestedSchema" | "propertyOrder"> & {
  readonly mode: "form" | "url";
  readonly fields: readonly FormField[];
};

/** A dialog of a kind that the host declared, for a page that has no drawing of its own for it. */
export type DialogData = DialogPrompt & { readonly fields: readonly NamedText[] };
