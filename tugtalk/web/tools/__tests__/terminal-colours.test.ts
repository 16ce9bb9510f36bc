/** Terminal colours that can be read on both grounds. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Rgb, type TextStyle, withSgr } from "../sgr.ts";
import { coloursIn, contrast, DARK, LIGHT, spanColours } from "../terminal-colours.ts";

const INDEXES = Array.from({ length: 256 }, (_, at) => at);

const STYLES: readonly TextStyle[] = [
  ...INDEXES.map((index) => withSgr({}, `38;5;${index}`)),
  ...INDEXES.map((index) => withSgr({}, `48;5;${index}`)),
  ...INDEXES.map((index) => withSgr({}, `38;5;${index};48;5;${(index * 7) % 256}`)),
];

test("each colour and each background has enough contrast in both themes, also dim and inverse", () => {
  const all = STYLES.flatMap((style) => [
    style,
    { ...style, isDim: true },
    { ...style, isInverse: true },
  ]);
  const faint = all.flatMap((style) =>
    [LIGHT, DARK].filter((theme) => {
      const { colour, background } = coloursIn(theme, style);
      return contrast(colour, background) < 4.5;
    }),
  );
  expect(faint).toEqual([]);
});

test("a colour that can be read already is left as it is", () => {
  const red: Rgb = [140, 20, 20];
  expect(coloursIn(LIGHT, { colour: red }).colour).toEqual(red);
});

test("text without colours has those of the page", () => {
  expect(spanColours({ isBold: true })).toEqual({});
});

test("a coloured text has a colour for each theme, and a ground only if it has its own", () => {
  expect(Object.keys(spanColours({ colour: [255, 0, 0] }))).toEqual(["color"]);
  expect(spanColours({ background: [0, 0, 0] })).toEqual({
    color: "light-dark(rgb(255 255 255), rgb(230 230 227))",
    backgroundColor: "light-dark(rgb(0 0 0), rgb(0 0 0))",
  });
});

test("the colours of the page are those of its style", () => {
  const css = readFileSync(join(import.meta.dir, "../../styles/base.css"), "utf8");
  const hex = (rgb: Rgb) => `#${rgb.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
  expect(css).toContain(`--ink: light-dark(${hex(LIGHT.ink)}, ${hex(DARK.ink)});`);
  expect(css).toContain(`--sunken: light-dark(${hex(LIGHT.paper)}, ${hex(DARK.paper)});`);
});
