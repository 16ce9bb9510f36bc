/** The effect of accepting a permission suggestion: the calls, the place, the time, and how to take it back. Pure. */

import {
  entryIn,
  type Fields,
  filledText,
  objectOf,
  present,
  textOf,
  textsOf,
} from "../claude-value.ts";
import type { SuggestionView } from "../prompt-models.ts";
import { viewMode } from "./permission-modes.ts";
import { describeRule, formatRule, joinWords, type Rule, rulesOf } from "./permission-rules.ts";
import type { Server } from "./tool-name.ts";
import { showHidden } from "./visible-text.ts";

/** Where a change is stored. */
type Scope = { readonly words: string; readonly file?: string };

const SESSION: Scope = { words: "for this session" };
const SCOPES: Readonly<Record<string, Scope>> = {
  session: SESSION,
  cliArg: SESSION,
  localSettings: {
    words: "in this project, saved in .claude/settings.local.json for you",
    file: ".claude/settings.local.json",
  },
  projectSettings: {
    words: "in this project, saved in .claude/settings.json for everyone who works on it",
    file: ".claude/settings.json",
  },
  userSettings: {
    words: "in all your projects, saved in ~/.claude/settings.json",
    file: "~/.claude/settings.json",
  },
};

/** A change in words, and the way back from it if it is written to a file. */
type Change = { readonly words: string; readonly wayBack: (file: string) => string };

/** One suggestion in words; `index` is its place in the list, `servers` are the MCP servers of the session. */
export function viewSuggestion(
  suggestion: unknown,
  index: number,
  servers: readonly Server[] = [],
): SuggestionView {
  const fields = objectOf(suggestion) ?? {};
  const destination = filledText(fields["destination"]);
  const change = changeOf(fields, servers);
  if (change === undefined || destination === undefined) return unknownSuggestion(fields, index);
  const scope = entryIn(SCOPES, destination) ?? {
    words: `saved in ${destination}`,
    file: destination,
  };
  const { file } = scope;
  const revoke = file === undefined ? revokeInSession(fields) : change.wayBack(file);
  const text = showHidden(`${change.words} ${scope.words}`);
  return { index, isKnown: true, text, ...present({ file }), revoke: showHidden(revoke) };
}

function unknownSuggestion({ type }: Fields, index: number): SuggestionView {
  return {
    index,
    isKnown: false,
    text: showHidden(`A change of the kind ${textOf(type) ?? "?"}, which cannot be described here`),
    revoke: "Do not accept what you cannot read.",
  };
}

function revokeInSession({ type }: Fields): string {
  return type === "setMode"
    ? "Switch to another permission mode at any time."
    : "It ends with this session, and nothing is saved.";
}

function changeOf(fields: Fields, servers: readonly Server[]): Change | undefined {
  const rules = rulesOf(fields["rules"]);
  const mode = filledText(fields["mode"]);
  const directories = textsOf(fields["directories"]);
  switch (fields["type"]) {
    case "addRules":
    case "replaceRules":
    case "removeRules":
      return rules && ruleChange(fields, rules, servers);
    case "setMode":
      return mode === undefined ? undefined : modeChange(mode);
    case "addDirectories":
    case "removeDirectories":
      return directories.length === 0 ? undefined : directoryChange(fields["type"], directories);
    default:
      return undefined;
  }
}

/** The verbs for the behaviors of a rule. */
const BEHAVIORS: Readonly<Record<string, readonly [does: string, doing: string]>> = {
  allow: ["Allow", "allowing"],
  deny: ["Refuse", "refusing"],
  ask: ["Ask before", "asking before"],
};

function ruleChange(
  { type, behavior }: Fields,
  rules: readonly Rule[],
  servers: readonly Server[],
): Change | undefined {
  const verbs = entryIn(BEHAVIORS, textOf(behavior) ?? "");
  if (verbs === undefined || (rules.length === 0 && type !== "replaceRules")) return undefined;
  const [does, doing] = verbs;
  const what = joinWords(rules.map((rule) => describeRule(rule, servers)));
  const names = joinWords(rules.map((rule) => `\`${formatRule(rule)}\``));
  const list = `permissions.${textOf(behavior)}`;
  switch (type) {
    case "addRules":
      return {
        words: `${does} ${what}`,
        wayBack: (file) => `Remove ${names} from ${list} in ${file}.`,
      };
    case "removeRules":
      return {
        words: `Stop ${doing} ${what}`,
        wayBack: (file) => `Add ${names} to ${list} in ${file} again.`,
      };
    default:
      return {
        words: `${rules.length === 0 ? `Stop ${doing} anything by a rule` : `${does} ${what} and nothing else by a rule`}`,
        wayBack: (file) => `Write the former rules into ${list} in ${file}.`,
      };
  }
}

function modeChange(mode: string): Change {
  const { label, description } = viewMode(mode);
  return {
    words: `Switch to the permission mode ${label}${description === "" ? "" : ` (Claude ${description})`}`,
    wayBack: (file) => `Change permissions.defaultMode in ${file}.`,
  };
}

function directoryChange(type: unknown, directories: readonly string[]): Change {
  const names = joinWords(directories.map((path) => `\`${path}\``));
  const list = "permissions.additionalDirectories";
  return type === "addDirectories"
    ? {
        words: `Let Claude work in ${names}`,
        wayBack: (file) => `Remove ${names} from ${list} in ${file}.`,
      }
    : {
        words: `Stop letting Claude work in ${names}`,
        wayBack: (file) => `Add ${names} to ${list} in ${file} again.`,
      };
}
