/** The style of terminal text, as `ESC [ … m` sequences change it (ECMA-48, xterm). Pure. */

/** Red, green and blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

export type TextStyle = {
  readonly colour?: Rgb;
  readonly background?: Rgb;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isInverse?: boolean;
  readonly isStruck?: boolean;
};

export const PLAIN: TextStyle = {};

/** The eight colours and their bright versions. */
const PALETTE: readonly Rgb[] = [
  [0, 0, 0],
  [205, 49, 49],
  [13, 188, 121],
  [229, 229, 16],
  [36, 114, 200],
  [188, 63, 188],
  [17, 168, 205],
  [229, 229, 229],
  [102, 102, 102],
  [241, 76, 76],
  [35, 209, 139],
  [245, 245, 67],
  [59, 142, 234],
  [214, 112, 214],
  [41, 184, 219],
  [255, 255, 255],
];

const ATTRIBUTES: Readonly<Record<number, TextStyle>> = {
  1: { isBold: true },
  2: { isDim: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  9: { isStruck: true },
  21: { isUnderlined: true },
};

/** The styles that a code takes away. */
const RESETS: Readonly<Record<number, readonly (keyof TextStyle)[]>> = {
  22: ["isBold", "isDim"],
  23: ["isItalic"],
  24: ["isUnderlined"],
  27: ["isInverse"],
  29: ["isStruck"],
  39: ["colour"],
  49: ["background"],
};

/** The style after a sequence with these parameters: `1;38;5;208`. */
export function withSgr(style: TextStyle, parameters: string): TextStyle {
  const codes = parameters.split(";");
  let changed = style;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? "";
    const name = code === "38" ? "colour" : code === "48" ? "background" : undefined;
    if (name === undefined) changed = withCode(changed, code);
    else {
      const { colour, length } = extendedColour(codes.slice(at + 1).map(Number));
      if (colour !== undefined) changed = { ...changed, [name]: colour };
      at += length;
    }
  }
  return changed;
}

function withCode(style: TextStyle, text: string): TextStyle {
  const [code = 0, ...details] = text.split(":").map(Number);
  if (code === 0) return PLAIN;
  if (code === 38 || code === 48) return withDetails(style, code, details);
  if (code === 4 && details[0] === 0) return without(style, ["isUnderlined"]);
  if (Object.hasOwn(ATTRIBUTES, code)) return { ...style, ...ATTRIBUTES[code] };
  if (Object.hasOwn(RESETS, code)) return without(style, RESETS[code] ?? []);
  return withPaletteColour(style, code);
}

/** `38:5:208`, `38:2:255:128:0` or `38:2::255:128:0`, which names a colour space. */
function withDetails(style: TextStyle, code: number, details: readonly number[]): TextStyle {
  const [kind = 0, ...values] = details;
  const { colour } = extendedColour([kind, ...(values.length > 3 ? values.slice(1) : values)]);
  if (colour === undefined) return style;
  return { ...style, [code === 38 ? "colour" : "background"]: colour };
}

function withPaletteColour(style: TextStyle, code: number): TextStyle {
  if (code >= 30 && code <= 37) return withColour(style, "colour", code - 30);
  if (code >= 90 && code <= 97) return withColour(style, "colour", code - 90 + 8);
  if (code >= 40 && code <= 47) return withColour(style, "background", code - 40);
  if (code >= 100 && code <= 107) return withColour(style, "background", code - 100 + 8);
  return style;
}

function withColour(style: TextStyle, name: "colour" | "background", index: number): TextStyle {
  const colour = PALETTE[index];
  return colour === undefined ? style : { ...style, [name]: colour };
}

function without(style: TextStyle, names: readonly string[]): TextStyle {
  return Object.fromEntries(Object.entries(style).filter(([name]) => !names.includes(name)));
}

type Extended = { readonly colour: Rgb | undefined; readonly length: number };

/** The colour after `38;` or `48;`, and how many parameters tell it. */
function extendedColour([kind, first = Number.NaN, second, third]: readonly number[]): Extended {
  if (kind === 5) return { colour: indexedColour(first), length: 2 };
  if (kind !== 2) return { colour: undefined, length: 1 };
  const parts = [first, second ?? Number.NaN, third ?? Number.NaN] as const;
  return { colour: parts.every(isByte) ? parts : undefined, length: 4 };
}

function isByte(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 255;
}

/** The 256 colours: the palette, a cube with six steps a side, and 24 greys. */
function indexedColour(index: number): Rgb | undefined {
  if (!isByte(index)) return undefined;
  if (index < 16) return PALETTE[index];
  if (index >= 232) {
    const grey = 8 + 10 * (index - 232);
    return [grey, grey, grey];
  }
  const at = index - 16;
  return [cubeStep(Math.floor(at / 36)), cubeStep(Math.floor(at / 6) % 6), cubeStep(at % 6)];
}

function cubeStep(step: number): number {
  return step === 0 ? 0 : 55 + 40 * step;
}
