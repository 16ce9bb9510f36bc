/** Which hooks of the host an event concerns, and their declaration to Claude. Pure. */
import type { Fields } from "../base/json.ts";
import { definedFields } from "../messages/envelope.ts";
import { type HookEvent, MATCHED_FIELDS } from "../messages/hook-events.ts";
import type { HostHook } from "../messages/hook-messages.ts";

/**
 * The longest limit that a timer of Claude can have, in s. When its own limit passes, 2.1.197 ends, or
 * refuses a call that the hook would allow.
 */
const CLAUDE_LIMIT_S = 2_147_483;

/** A name, or several: every CLI compares them whole. Anything else is a regular expression. */
const NAMES = /^[a-zA-Z0-9_|-]+$/;

/**
 * `hooks` of `initialize`. Each event has one callback: Claude would run several at once and lose some of
 * their answers.
 */
export function declaredHooks(hooks: readonly HostHook[]): Fields {
  const byEvent = Map.groupBy(hooks, ({ event }) => event);
  const entries = [...byEvent].map(([event, ofEvent]) => [
    event,
    [
      definedFields({
        matcher: commonMatcher(ofEvent),
        hookCallbackIds: [event],
        timeout: CLAUDE_LIMIT_S,
      }),
    ],
  ]);
  return Object.fromEntries(entries);
}

/** Finds the hooks of an event whose matcher fits, in the order in which they were declared. */
export type HookFinder = (event: HookEvent, input: Fields) => readonly HostHook[];

/** Reads the matchers once. */
export function buildHookFinder(hooks: readonly HostHook[]): HookFinder {
  const all = hooks.map((hook) => ({ hook, fits: buildMatcher(hook.matcher) }));
  return (event, input) => {
    const field = MATCHED_FIELDS[event];
    const value = field === undefined ? undefined : input[field];
    return all.flatMap(({ hook, fits }) => (hook.event === event && fits(value) ? [hook] : []));
  };
}

/** A field that Claude leaves out matches, since its value is unknown. */
function buildMatcher(matcher = "*"): (value: unknown) => boolean {
  if (matcher === "*") return () => true;
  const names = matcher.split("|");
  const pattern = NAMES.test(matcher) ? undefined : new RegExp(matcher);
  return (value) => typeof value !== "string" || (pattern?.test(value) ?? names.includes(value));
}

/** The names of all hooks, if each hook has only names: Claude asks only about those. */
function commonMatcher(hooks: readonly HostHook[]): string | undefined {
  const matchers = hooks.map(({ matcher = "*" }) => matcher);
  return matchers.every((matcher) => NAMES.test(matcher))
    ? [...new Set(matchers.flatMap((matcher) => matcher.split("|")))].join("|")
    : undefined;
}
