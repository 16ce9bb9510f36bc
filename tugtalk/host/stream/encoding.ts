/** Frames as text for the two transports. Each frame is encoded once for all clients. */
import type { Frame } from "../api/frame.ts";

const ENCODER = new TextEncoder();

const batches = new WeakMap<readonly Frame[], Uint8Array<ArrayBuffer>>();
const texts = new WeakMap<Frame, string>();

/** A batch as server-sent events. Entries of a journal have an `id`, so that a client resumes after them. */
export function eventBytes(frames: readonly Frame[]): Uint8Array<ArrayBuffer> {
  const known = batches.get(frames);
  if (known !== undefined) return known;
  const bytes = ENCODER.encode(frames.map(eventText).join(""));
  batches.set(frames, bytes);
  return bytes;
}

function eventText({ cursor, type, data }: Frame): string {
  const id = cursor === undefined ? "" : `id: ${cursor.epoch}.${cursor.seq}\n`;
  return `${id}event: ${type}\ndata: ${data}\n\n`;
}

/** A frame as a message of the WebSocket: `{s, e, q, t, d}`, without `e` and `q` if it is in no journal. */
export function socketText(frame: Frame): string {
  const known = texts.get(frame);
  if (known !== undefined) return known;
  const { session, cursor, type, data } = frame;
  const place = cursor === undefined ? "" : `"e":${cursor.epoch},"q":${cursor.seq},`;
  const text = `{"s":${JSON.stringify(session)},${place}"t":${JSON.stringify(type)},"d":${data}}`;
  texts.set(frame, text);
  return text;
}
