/** The frames of a session for its listeners, whichever host holds it. */
import { expect, test } from "bun:test";
import type { FeedJournal } from "../entry-feed.ts";
import { SessionFeeds } from "../session-feeds.ts";

/** Feeds of an empty journal. */
function openFeeds(): SessionFeeds {
  const journal: FeedJournal = { load: async () => undefined, pieceAfter: async () => "gap" };
  return new SessionFeeds({ journal, held: () => undefined });
}

const notice = { session: "s", type: "database_away", data: "{}" };

test("all listeners of a session have one feed, until the last one has ended", () => {
  const feeds = openFeeds();
  const told: string[] = [];
  const [end, endOther] = ["one", "other"].map((name) => feeds.listen("s", () => told.push(name)));
  feeds.get("s")?.notify(notice);
  expect(told).toEqual(["one", "other"]);
  end?.();
  feeds.get("s")?.notify(notice);
  expect(told).toEqual(["one", "other", "other"]);
  endOther?.();
  expect(feeds.all()).toEqual([]);
});

test("a listener that ends once more leaves those who have come since their feed", () => {
  const feeds = openFeeds();
  const end = feeds.listen("s", () => {});
  end();
  const told: string[] = [];
  feeds.listen("s", ([frame]) => told.push(frame?.type ?? ""));
  end();
  feeds.get("s")?.notify(notice);
  expect(told).toEqual(["database_away"]);
});
