/** Colours of a terminal in both themes of the page: each with enough contrast to be read. Pure. */
import type { Rgb, TextStyle } from "./sgr.ts";

export type Theme = { readonly ink: Rgb; readonly paper: Rgb };

/** `--ink` and `--sunken` of base.css. */
export const LIGHT: Theme = { ink: [31, 35, 40], paper: [243, 241, 236] };
export const DARK: Theme = { ink: [230, 230, 227], paper: [18, 19, 21] };

/** The least contrast of text by WCAG 2. */
const MIN_CONTRAST = 4.5;

const DIM_SHARE = 0.35;

type SpanColours = { readonly color?: string; readonly backgroundColor?: string };

/** For the `style` of a span; empty for text in the colours of the page. */
export function spanColours(style: TextStyle): SpanColours {
  const { colour, background, isDim, isInverse } = style;
  const isPlain = colour === undefined && background === undefined;
  if (isPlain && isDim !== true && isInverse !== true) return {};
  const [light, dark] = [coloursIn(LIGHT, style), coloursIn(DARK, style)];
  const isRaised = background !== undefined || isInverse === true;
  return {
    color: lightDark(light.colour, dark.colour),
    ...(isRaised && { backgroundColor: lightDark(light.background, dark.background) }),
  };
}

type Colours = { readonly colour: Rgb; readonly background: Rgb };

export function coloursIn({ ink, paper }: Theme, style: TextStyle): Colours {
  const { background: ground = paper, isDim, isInverse } = style;
  const text = contrast(ink, ground) >= MIN_CONTRAST ? ink : strongest(ground);
  const { colour: chosen = text } = style;
  const [colour, background] = isInverse === true ? [ground, chosen] : [chosen, ground];
  const dimmed = isDim === true ? mix(colour, background, DIM_SHARE) : colour;
  return { colour: readable(dimmed, background), background };
}

/** The nearest colour on the way to black or white that can be read. */
function readable(colour: Rgb, background: Rgb): Rgb {
  const end = strongest(background);
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = mix(colour, end, share);
    if (contrast(mixed, background) >= MIN_CONTRAST) return mixed;
  }
  return end;
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

function strongest(background: Rgb): Rgb {
  return contrast(BLACK, background) > contrast(WHITE, background) ? BLACK : WHITE;
}

function mix([red, green, blue]: Rgb, end: Rgb, share: number): Rgb {
  const part = (value: number, other: number) => Math.round(value + (other - value) * share);
  return [part(red, end[0]), part(green, end[1]), part(blue, end[2])];
}

/** 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [first, second] = [luminance(one), luminance(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function lightDark(light: Rgb, dark: Rgb): string {
  return `light-dark(rgb(${light.join(" ")}), rgb(${dark.join(" ")}))`;
}
