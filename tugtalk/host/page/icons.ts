/**
 * The icons of the page: paths on a square of 16, stroked, and some filled. The stylesheet uses them as
 * masks, so that they have the colour of the text around them, and need no script.
 */
import type { BunPlugin } from "bun";

const ICONS = {
  archive: "M2 3h12v3H2zM3 6v7h10V6M6.5 8.5h3",
  "arrow-left": "M13 8H3M7 4L3 8l4 4",
  "arrow-up": "M8 13V3M4 7l4-4 4 4",
  "back-to": "M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M6 3.5l-3 3 3 3",
  bell: "M4 11V7a4 4 0 0 1 8 0v4l1 1.5H3zM6.75 14.5h2.5",
  check: "M3 8.5l3.5 3.5L13 4.5",
  "chevron-down": "M4 6l4 4 4-4",
  "chevron-right": "M6 4l4 4-4 4",
  "chevron-up": "M4 10l4-4 4 4",
  "circle-dot": "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.9v.2",
  clock: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.7V8l2.3 1.4",
  coin: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM9.8 6c-.3-.7-1-1-1.8-1-1 0-1.8.5-1.8 1.4C6.2 8.5 9.8 7.5 9.8 9.6 9.8 10.5 9 11 8 11c-.9 0-1.6-.4-1.9-1.1M8 4v8",
  copy: "M5.5 5.5h7v8h-7zM3.5 10.5v-8h7",
  cross: "M4 4l8 8M12 4l-8 8",
  download: "M8 2.5v7.5M4.5 7L8 10.5 11.5 7M3 13.5h10",
  edit: "M3 13l.6-2.8L10.8 3l2.2 2.2L5.8 12.4z",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  fork: "M4.5 2.5v11M4.5 8.5c4 0 7-.5 7-4M11.5 4.5v-2",
  gauge: "M2.5 12a6 6 0 1 1 11 0M8 10l2.5-3.5",
  gear: "M8 5.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4zM8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6l1.4 1.4M11 11l1.4 1.4M12.4 3.6L11 5M5 11l-1.4 1.4",
  globe: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2c-4.5 4-4.5 8 0 12M8 2c4.5 4 4.5 8 0 12",
  help: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM6.2 6.3c0-2.4 3.6-2.3 3.6-.1C9.8 7.5 8 7.6 8 9M8 11.3v.1",
  keyboard: "M1.5 4h13v8.5h-13zM4 6.7v.1M6.7 6.7v.1M9.3 6.7v.1M12 6.7v.1M5 10h6",
  list: "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4v.1M2.5 8v.1M2.5 12v.1",
  menu: "M2.5 4h11M2.5 8h11M2.5 12h11",
  message: "M2.5 3h11v8h-6l-3 2.5V11h-2z",
  more: "M3.5 8v.1M8 8v.1M12.5 8v.1",
  move: "M7 3H3v10h4M6.5 8H13M10 5l3 3-3 3",
  palette: "M6 4L2.5 8 6 12M10 4l3.5 4L10 12",
  paperclip: "M13 7.5l-5 5a3 3 0 0 1-4.3-4.3L9 3a2 2 0 0 1 2.9 2.9L6.7 11a1 1 0 0 1-1.4-1.4L10 5",
  play: "M5 3l8 5-8 5z",
  plug: "M6 2v3M10 2v3M4 5h8v2.5a4 4 0 0 1-8 0zM8 11.5V14",
  plus: "M8 3v10M3 8h10",
  question: "M6 6.2c0-2.7 4-2.6 4-.1C10 7.6 8 7.7 8 9.3M8 12v.1",
  refresh: "M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5l3.5 3.5",
  send: "M8 13V3M4 7l4-4 4 4",
  "send-now": "M8 13.5v-8M4 9.5l4-4 4 4M3.5 2.5h9",
  "shield-check": "M8 1.8l5 2v3.7c0 3-2 5.5-5 6.7-3-1.2-5-3.7-5-6.7V3.8zM5.7 8l1.6 1.7 3-3.3",
  "shield-x": "M8 1.8l5 2v3.7c0 3-2 5.5-5 6.7-3-1.2-5-3.7-5-6.7V3.8zM6.2 6l3.6 3.6M9.8 6L6.2 9.6",
  spark: "M8 2v12M2.8 5l10.4 6M13.2 5L2.8 11",
  stop: "M4.5 4.5h7v7h-7z",
  tasks: "M2.5 4l1 1 2-2M2.5 9l1 1 2-2M8 4.5h6M8 9.5h6M8 13.5h6M2.5 13.5h2",
  terminal: "M2 3h12v10H2zM4.5 6l2 2-2 2M8 10.5h3",
  trash: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9M7 7v4M9 7v4",
  warning: "M8 2.5L14.5 13.5h-13zM8 6.5v3.5M8 11.9v.1",
  wrench:
    "M13.5 4.5a3.5 3.5 0 0 1-4.7 4.3L4.5 13a1.4 1.4 0 0 1-2-2l4.2-4.3A3.5 3.5 0 0 1 11 2.2L9 4.3l.4 2.2 2.2.4z",
} as const;

export type IconName = keyof typeof ICONS;

const FILLED: ReadonlySet<string> = new Set(["stop"] satisfies IconName[]);

/** Adds a rule for each icon to the stylesheet with the rule for all of them. */
export const ICON_RULES: BunPlugin = {
  name: "the icons of the page",
  setup(build) {
    build.onLoad({ filter: /[\\/]icons\.css$/ }, async ({ path }) => ({
      contents: [await Bun.file(path).text(), ...Object.entries(ICONS).map(ruleOf)].join("\n"),
      loader: "css",
    }));
  },
};

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="black" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">';

function ruleOf([name, path]: readonly [string, string]): string {
  const fill = FILLED.has(name) ? ' fill="black"' : "";
  return `.icon-${name}{--icon:url('data:image/svg+xml,${SVG}<path d="${path}"${fill}/></svg>')}`;
}
