/** Draws an image anew, so small that Claude takes it. */

/** Claude sees no more than this of an image. */
const MAX_SIDE_PX = 2048;
const SHRINK = 0.7;

/** Undefined if the browser cannot read the image. */
export async function fitImage(file: Blob, maxBytes: number): Promise<Blob | undefined> {
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
