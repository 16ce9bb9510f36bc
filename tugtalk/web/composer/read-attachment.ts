/** Makes attachments of files: images as Claude takes them, and texts. */
import type { Attachment } from "../../src/messages/user-messages.ts";

/** An attachment, or why there is none. */
type ReadFile =
  | { readonly attachment: Attachment; readonly isScaled: boolean }
  | { readonly problem: string };

/** The limit is 5 MiB of base64. */
const MAX_IMAGE_BYTES = (5 * 1024 * 1024 * 3) / 4;
const MAX_TEXT_BYTES = 1024 * 1024;
/** No image of a person is larger, and all of a file is in memory. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

export async function readAttachment(file: File): Promise<ReadFile> {
  if (file.size > MAX_FILE_BYTES) return { problem: `${file.name} is larger than 64 MiB.` };
  const bytes = await bytesOf(file);
  if (bytes === undefined)
    return { problem: `${file.name} cannot be read. Type @ to name a folder or a file.` };
  if (bytes.length === 0) return { problem: `${file.name} is empty.` };
  const mediaType = imageTypeOf(bytes);
  if (mediaType !== undefined && bytes.length <= MAX_IMAGE_BYTES)
    return { attachment: await imageOf(file, file.name, mediaType), isScaled: false };
  const text = mediaType === undefined ? textIn(bytes) : undefined;
  if (text !== undefined) return readText(file, text);
  const image = await fitImage(file, MAX_IMAGE_BYTES);
  if (image === undefined)
    return { problem: `${file.name} is neither a text nor an image that can be read.` };
  return { attachment: await imageOf(image, file.name, image.type), isScaled: true };
}

/** Undefined for a folder, and for a file that is gone. */
async function bytesOf(file: File): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}

function readText({ name, size }: File, text: string): ReadFile {
  if (size > MAX_TEXT_BYTES)
    return { problem: `${name} is larger than 1 MiB. Type @ to name it, and Claude reads of it.` };
  // Claude does not get the name of an attachment.
  const content = `${name}:\n\n${text}`;
  return { attachment: { filename: name, content, media_type: "text/plain" }, isScaled: false };
}

async function imageOf(blob: Blob, filename: string, mediaType: string): Promise<Attachment> {
  return { filename, content: await base64Of(blob), media_type: mediaType };
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^.*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

const SIGNATURES: Readonly<Record<string, RegExp>> = {
  "image/png": /^\x89PNG\r\n/,
  "image/jpeg": /^\xff\xd8\xff/,
  "image/gif": /^GIF8[79]a/,
  "image/webp": /^RIFF[\s\S]{4}WEBP/,
};

/** The type of an image that Claude takes, from its bytes and not from the name of the file. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  return Object.entries(SIGNATURES).find(([, signature]) => signature.test(start))?.[0];
}

/** Undefined if the bytes are no text in UTF-8. */
export function textIn(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Claude sees no more than this of an image. */
const MAX_SIDE_PX = 2048;
const SHRINK = 0.7;

/** Undefined if the browser cannot read the image. */
async function fitImage(file: Blob, maxBytes: number): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (bitmap === undefined) return undefined;
  const { width, height } = bitmap;
  let scale = Math.min(1, MAX_SIDE_PX / Math.max(width, height));
  let fitted = await drawn(bitmap, scale);
  while (fitted !== undefined && fitted.size > maxBytes) {
    scale *= SHRINK;
    fitted = await drawn(bitmap, scale);
  }
  bitmap.close();
  return fitted;
}

async function drawn(bitmap: ImageBitmap, scale: number): Promise<Blob | undefined> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  // A browser that cannot write WebP writes PNG.
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/webp"));
  return blob ?? undefined;
}
