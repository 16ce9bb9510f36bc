import { expect, test } from "bun:test";
import type { Frame } from "../../api/frame.ts";
import { eventBytes, socketText } from "../encoding.ts";

const CURSOR = { epoch: 7, seq: 12 };

/** A frame that counts how often its data is read. */
function countedFrame(): { readonly frame: Frame; readonly reads: () => number } {
  let reads = 0;
  const frame = {
    session: "one",
    cursor: CURSOR,
    type: "text_delta",
    get data() {
      reads += 1;
      return '{"text":"Grüße"}';
    },
  };
  return { frame, reads: () => reads };
}

function textOf(frames: readonly Frame[]): string {
  return new TextDecoder().decode(eventBytes(frames));
}

test("an entry is one event and one message, the same for each client, and is encoded once for each way", () => {
  const { frame, reads } = countedFrame();
  const frames = [frame];
  for (let client = 0; client < 100; client++) {
    expect(textOf(frames)).toBe('id: 7.12\nevent: text_delta\ndata: {"text":"Grüße"}\n\n');
    expect(socketText(frame)).toBe(
      '{"s":"one","e":7,"q":12,"t":"text_delta","d":{"text":"Grüße"}}',
    );
  }
  expect(reads()).toBe(2);
});

test("a batch is one piece of a stream of events", () => {
  const frames = [1, 2].map((seq) => ({
    session: "one",
    cursor: { epoch: 7, seq },
    type: "text_delta",
    data: "{}",
  }));
  expect(textOf(frames)).toBe(
    "id: 7.1\nevent: text_delta\ndata: {}\n\nid: 7.2\nevent: text_delta\ndata: {}\n\n",
  );
});

test("a frame that is in no journal has neither an id nor a number", () => {
  const frame = { session: "*", type: "sessions", data: "{}" };
  expect(textOf([frame])).toBe("event: sessions\ndata: {}\n\n");
  expect(socketText(frame)).toBe('{"s":"*","t":"sessions","d":{}}');
});
