/** Values that two tabs keep under one name. */
import { expect, test } from "bun:test";
import { TabStorage } from "../drafts.ts";
import { memoryStorage } from "./support/memory-storage.ts";

function twoTabs() {
  const shared = memoryStorage();
  const tabs = [1, 2].map(() => new TabStorage(memoryStorage(), shared));
  return { shared, tabs };
}

test("a tab reads its own text again whatever another tab writes or removes", () => {
  const { tabs } = twoTabs();
  tabs.map((tab, index) => tab.setItem("draft", `of tab ${index}`));
  expect(tabs.map((tab) => tab.getItem("draft"))).toEqual(["of tab 0", "of tab 1"]);
  tabs[1]?.removeItem("draft");
  expect(tabs[0]?.getItem("draft")).toBe("of tab 0");
});

test("a new tab reads the text that was written last, unless its own tab has removed it", () => {
  const { shared, tabs } = twoTabs();
  const read = () => new TabStorage(memoryStorage(), shared).getItem("draft");
  tabs.map((tab, index) => tab.setItem("draft", `of tab ${index}`));
  tabs[0]?.removeItem("draft");
  expect(read()).toBe("of tab 1");
  tabs[1]?.removeItem("draft");
  expect(read()).toBeNull();
});
