/** Which hooks an event concerns, how they are declared, and which declarations are refused. */
import { expect, test } from "bun:test";
import { type HostHook, HostHooks } from "../../messages/hook-messages.ts";
import { buildHookFinder, declaredHooks } from "../hook-matchers.ts";

const hookOf = (hook_id: string, matcher?: string): HostHook => ({
  hook_id,
  event: "PreToolUse",
  ...(matcher !== undefined && { matcher }),
});

test.each([
  ["Bash", ["all", "star", "one", "list", "pattern"]],
  ["Edit", ["all", "star", "list"]],
  ["BashOutput", ["all", "star", "pattern"]],
] as const)("the hooks for %s are those whose matcher fits", (tool_name, ids) => {
  const hooks = [
    hookOf("all"),
    hookOf("star", "*"),
    hookOf("one", "Bash"),
    hookOf("list", "Edit|Bash"),
    hookOf("pattern", "^Ba.*"),
  ];
  const found = buildHookFinder(hooks)("PreToolUse", { tool_name });
  expect(found.map(({ hook_id }) => hook_id)).toEqual([...ids]);
});

test("each event has one callback, for the tools that its hooks name", () => {
  const timeout = 2_147_483;
  expect(declaredHooks([hookOf("a", "Bash"), hookOf("b", "Edit|Bash")])).toEqual({
    PreToolUse: [{ matcher: "Bash|Edit", hookCallbackIds: ["PreToolUse"], timeout }],
  });
  expect(declaredHooks([hookOf("a", "Bash"), hookOf("b", "^mcp__.*")])).toEqual({
    PreToolUse: [{ hookCallbackIds: ["PreToolUse"], timeout }],
  });
});

const stop = { hook_id: "a", event: "Stop" };

test.each([
  [
    "an unknown event",
    [{ hook_id: "a", event: "Never" }],
    "no hook of the host: one of PreToolUse",
  ],
  ["SessionStart", [{ hook_id: "a", event: "SessionStart" }], "startup or a resume"],
  ["PermissionRequest", [{ hook_id: "a", event: "PermissionRequest" }], "control_request_forward"],
  ["an id that is used twice", [stop, stop], "is used twice"],
  ["a matcher without effect", [{ ...stop, matcher: "Bash" }], "Stop has nothing to match"],
  ["a broken pattern", [{ ...hookOf("a"), matcher: "(" }], "not a regular expression"],
  ["an unknown field", [{ ...stop, mather: "a" }], "Unrecognized key"],
  ["too many", Array.from({ length: 65 }, (_, id) => ({ ...stop, hook_id: `${id}` })), "64"],
])("%s is refused with the reason", (_name, hooks, reason) => {
  expect(HostHooks.safeParse(hooks).error?.message ?? "accepted").toContain(reason);
});
