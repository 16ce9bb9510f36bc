/** The drift check without the network: it reads declarations and reports unknown kinds. */
import { describe, expect, test } from "bun:test";
import { declaredKinds } from "../testing/captures/declared-kinds.ts";
import { drift, registry } from "../testing/captures/drift.ts";

/** Made up, in the manner of the published declarations. */
const DECLARATIONS = `
import type { Usage } from './usage';
/** It isn't a { brace: type: 'system' } that counts here. */
export declare type SDKMessage = SDKAssistantMessage | coreTypes.SDKResultMessage | SDKStatusMessage;
export declare type SDKAssistantMessage = {
    type: 'assistant';
    // subtype: 'commented_out';
    message: { type: 'message'; content: Array<{ subtype: 'nested' }> };
    link?: 'https://example.com/*';
    onDone: (code: number) => void;
};
declare type ResultSubtype = 'error_a' | "error_b";
export declare type SDKResultMessage = ({ type: 'result'; subtype: 'success' }) | {
    readonly type: 'result';
    subtype: ResultSubtype;
};
type Envelope = { uuid: string };
export declare type SDKStatusMessage = Envelope & {
    type: 'system';
    subtype: 'status';
    status: 'a' | null;
};
export interface SDKStrayMessage extends Envelope {
    type: 'system';
    subtype?: 'stray';
}
declare type StdoutMessage = SDKMessage | SDKKeepAliveMessage;
declare type SDKKeepAliveMessage = {
    type: 'keep_alive';
};
declare type SDKControlRequestInner = SDKControlOneRequest;
declare type SDKControlOneRequest = { subtype: 'one'; fields: Record<string, unknown> };
declare type SDKControlTwoRequest = { subtype: 'two' };
declare type Unrelated<T> = { type: 'unrelated'; subtype: T };
`;

describe("declarations", () => {
  test("are read for their kinds: literals, unions, aliases, intersections, and what no union names", () => {
    expect(declaredKinds(DECLARATIONS)).toEqual({
      messages: [
        "assistant",
        "keep_alive",
        "result/error_a",
        "result/error_b",
        "result/success",
        "system/status",
        "system/stray",
      ],
      requests: ["one", "two"],
    });
  });

  test.each(["SDKMessage", "StdoutMessage", "SDKControlRequestInner", "SDKStatusMessage"])(
    "without %s are refused, not taken for short ones",
    (name) => {
      const text = DECLARATIONS.replace(`type ${name} =`, "type Renamed =");
      expect(() => declaredKinds(text)).toThrow(`no type ${name}`);
    },
  );
});

describe("the drift check", () => {
  const known = registry();
  const declared = {
    messages: ["assistant", "keep_alive", "system/status", "system/task_started", "user"],
    requests: ["can_use_tool", "get_settings", "initialize"],
  };

  test("reports nothing where every kind is known", () => {
    expect(drift(declared, known)).toEqual([]);
  });

  test.each(["keep_alive", "system/task_started"])(
    "rings when the message %s is taken out of the registry",
    (kind) => {
      const messages = new Set([...known.messages].filter((name) => name !== kind));
      expect(drift(declared, { ...known, messages })).toEqual([`message ${kind}`]);
    },
  );

  test.each(declared.requests)("reports the request %s when its registry lacks it", (name) => {
    const requests = new Set([...known.requests].filter((other) => other !== name));
    expect(drift(declared, { ...known, requests })).toEqual([`control request ${name}`]);
  });

  test("reports a new kind", () => {
    const newer = { messages: ["brand_new", "system/brand_new"], requests: ["brand_new"] };
    expect(drift(newer, known)).toEqual([
      "message brand_new",
      "message system/brand_new",
      "control request brand_new",
    ]);
  });
});
