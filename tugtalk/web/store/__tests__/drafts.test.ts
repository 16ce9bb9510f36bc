/** Drafts, and the part of them that the storage of the browser keeps. */
import { expect, test } from "bun:test";
import { Drafts } from "../drafts.ts";
import { memoryStorage } from "./support/memory-storage.ts";

const IMAGE = { filename: "a.png", content: "AAAA", media_type: "image/png" };

function typed(drafts: Drafts, text: string) {
  const draft = drafts.of("s");
  draft.text.value = text;
  return draft;
}

test("a text is read again by the next page, and an empty draft leaves nothing in the storage", () => {
  const storage = memoryStorage();
  const draft = typed(new Drafts(storage), "half a thought");
  expect(new Drafts(storage).of("s").text.value).toBe("half a thought");
  expect(new Drafts(storage).of("other").text.value).toBe("");
  draft.text.value = "";
  expect(storage).toHaveLength(0);
});

test("a stored value of another shape is no draft", () => {
  for (const stored of ["", "{", "7", '"text"', '{"text":7,"unanswered":[7,{}]}']) {
    const storage = memoryStorage();
    storage.setItem("tugtalk.draft.s", stored);
    expect(new Drafts(storage).of("s").text.value).toBe("");
  }
});

test("a full storage costs the draft only with the page", () => {
  const storage = {
    ...memoryStorage(),
    setItem: () => {
      throw new Error("full");
    },
  };
  expect(typed(new Drafts(storage), "long").text.value).toBe("long");
});

test("a message is taken trimmed, leaves an empty draft, and nothing is taken of a blank one", () => {
  const drafts = new Drafts(memoryStorage());
  expect(drafts.take("s")).toBeUndefined();
  const draft = typed(drafts, "  \n");
  expect(drafts.take("s")).toBeUndefined();
  draft.text.value = " go \n";
  draft.attachments.value = [IMAGE];
  const message = drafts.take("s");
  expect(message).toMatchObject({ text: "go", attachments: [IMAGE] });
  expect([draft.text.value, draft.attachments.value]).toEqual(["", []]);
  expect(draft.recent.value).toEqual(["go"]);
  draft.attachments.value = [IMAGE];
  expect(drafts.take("s")).toMatchObject({ text: "" });
});

test("a message without an answer is typed again on the next page, and keeps its id while it is not changed", () => {
  const storage = memoryStorage();
  const drafts = new Drafts(storage);
  typed(drafts, "once");
  const first = drafts.take("s");
  const next = new Drafts(storage);
  expect(next.of("s").text.value).toBe("once");
  expect(next.take("s")?.clientMessageId).toBe(first?.clientMessageId ?? "");
  const changed = new Drafts(storage);
  changed.of("s").text.value = "once more";
  expect(changed.take("s")?.clientMessageId).not.toBe(first?.clientMessageId ?? "");
});

test("a text that is sent twice on the page after a reload is two messages", () => {
  const storage = memoryStorage();
  typed(new Drafts(storage), "continue");
  new Drafts(storage).take("s");
  const drafts = new Drafts(storage);
  const [first, second] = [1, 2].map(() => {
    typed(drafts, "continue");
    return drafts.take("s")?.clientMessageId;
  });
  expect(second).not.toBe(first);
});

test("a message with attachments, or one of several, is typed again under a new id", () => {
  for (const texts of [["with a file"], ["one", "two"]]) {
    const storage = memoryStorage();
    const drafts = new Drafts(storage);
    const draft = drafts.of("s");
    const ids = texts.map((text) => {
      draft.text.value = text;
      if (texts.length === 1) draft.attachments.value = [IMAGE];
      return drafts.take("s")?.clientMessageId ?? "";
    });
    const next = new Drafts(storage);
    expect(next.of("s").text.value).toBe(texts.join("\n\n"));
    expect(ids).not.toContain(next.take("s")?.clientMessageId ?? "");
  }
});

test("a message that is settled is not kept", () => {
  const storage = memoryStorage();
  const drafts = new Drafts(storage);
  typed(drafts, "done");
  const message = drafts.take("s");
  if (message !== undefined) drafts.settle("s", message);
  expect(storage).toHaveLength(0);
});

test("a message that is given back stands before the typed text", () => {
  const drafts = new Drafts(memoryStorage());
  const draft = typed(drafts, "third");
  drafts.giveBack("s", "second", [IMAGE]);
  drafts.giveBack("s", "first");
  expect(draft.text.value).toBe("first\n\nsecond\n\nthird");
  expect(draft.attachments.value).toEqual([IMAGE]);
});
