/** A key, or several that are pressed together. */

export function KeyView({ keys }: { readonly keys: string }) {
  return (
    <span class="key-view">
      {keyParts(keys, navigator.platform).map((part) => (
        <kbd key={part}>{part}</kbd>
      ))}
    </span>
  );
}

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
