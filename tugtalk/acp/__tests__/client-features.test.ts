/** The capabilities of a client, as the agent reads them. */
import { expect, test } from "bun:test";
import { clientFeatures } from "../client-features.ts";

const on = (features: object) =>
  Object.entries(features).flatMap(([name, isOn]) => (isOn === true ? [name] : []));

test("a client has the features that it declares, and none that is ill-formed", () => {
  const all = {
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    elicitation: { form: {}, url: {} },
    auth: { terminal: true },
    subagents: {},
    _meta: { terminal_output: true, tugtalk: { messages: true } },
  };
  expect(on(clientFeatures(all))).toHaveLength(9);
  expect(on(clientFeatures({ _meta: { "terminal-auth": true } }))).toEqual(["terminalLogin"]);
  const wrong = { session: { notices: true }, elicitation: [], auth: { terminal: "yes" } };
  for (const none of [undefined, null, 7, {}, wrong, { session: { notices: null } }])
    expect(on(clientFeatures(none))).toEqual([]);
});
