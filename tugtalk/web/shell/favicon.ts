/** The icon of the tab, drawn anew when its mark changes. */
import type { TabState } from "./tab-title.ts";

const SIZE = 32;
const GROUND = "#1f2328";
const INK = "#fbfaf8";

const COLOURS: Readonly<Partial<Record<TabState, string>>> = {
  waiting: "#f2b63c",
  working: "#5c9bff",
  done: "#35b46a",
};

/** Does nothing where the browser draws no canvas. */
export function showIcon(state: TabState): void {
  const canvas = document.createElement("canvas");
  canvas.width = SIZE;
  canvas.height = SIZE;
  const context = canvas.getContext("2d");
  if (context === null) return;
  drawLetter(context);
  const colour = COLOURS[state];
  if (colour !== undefined) drawMark(context, colour);
  document.querySelector('link[rel="icon"]')?.setAttribute("href", canvas.toDataURL());
}

function drawLetter(context: CanvasRenderingContext2D): void {
  context.fillStyle = GROUND;
  context.beginPath();
  context.roundRect(0, 0, SIZE, SIZE, 7);
  context.fill();
  context.fillStyle = INK;
  context.font = "bold 24px sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText("t", SIZE / 2 - 1, SIZE / 2 + 1);
}

/** With a rim, so that it is seen on the letter too. */
function drawMark(context: CanvasRenderingContext2D, colour: string): void {
  for (const [fill, radius] of [
    [GROUND, 10],
    [colour, 7.5],
  ] as const) {
    context.fillStyle = fill;
    context.beginPath();
    context.arc(SIZE - 8, SIZE - 8, radius, 0, 2 * Math.PI);
    context.fill();
  }
}
