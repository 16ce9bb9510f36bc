/** Keys as they are printed on a keyboard. Pure. */

const NAMES: Readonly<Record<string, string>> = {
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Shift: "⇧",
  Enter: "↵",
  Tab: "Tab",
};

/** `Ctrl+k` is `Ctrl` and `K`, on a Mac `⌘` and `K`. */
export function keyParts(key: string, platform: string): string[] {
  const isMac = /mac|iphone|ipad/i.test(platform);
  return key.split("+").map((part) => {
    if (part === "Ctrl") return isMac ? "⌘" : "Ctrl";
    if (part === "Alt") return isMac ? "⌥" : "Alt";
    return NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part);
  });
}
