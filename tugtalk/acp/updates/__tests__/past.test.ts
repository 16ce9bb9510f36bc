/** The prompts of the past, as the client gets them. */
import { expect, test } from "bun:test";
import type { Fields } from "../../../src/base/json.ts";
import { clientFeatures } from "../../client-features.ts";
import { pastStep } from "../past-updates.ts";
import { firstState } from "../update-state.ts";

/** The content that a prompt of the past is sent as. */
function contentOf(fields: { readonly text: string; readonly content?: Fields[] }) {
  const state = firstState("/work/project", clientFeatures({}));
  const { updates } = pastStep(state, { type: "user_text", kind: "history", ...fields });
  return updates.map((update) => ("content" in update ? update.content : undefined));
}

test("the /clear that has led to a conversation is not sent; the same text with an image, which Claude takes for a prompt, is", () => {
  expect(contentOf({ text: "/clear" })).toEqual([]);
  const text = { type: "text", text: "/clear" };
  const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };
  expect(contentOf({ text: "/clear", content: [text, { type: "image", source }] })).toMatchObject([
    text,
    { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
  ]);
});
