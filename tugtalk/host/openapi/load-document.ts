/** The OpenAPI document as JSON, from the program or made from the sources beside it. */
import { unpackText } from "../page/packed-text.ts";

/** The build puts the packed text here. */
declare const TUGTALK_OPENAPI: string | undefined;

let loaded: Promise<string> | undefined;

/** Made on the first request, so that other hosts need neither the time nor the memory. */
export function loadOpenApi(): Promise<string> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<string> {
  // In this order, so that the build leaves out the sources of the document.
  if (typeof TUGTALK_OPENAPI === "undefined") {
    const { openApiText } = await import("./document.ts");
    return openApiText();
  }
  return unpackText(TUGTALK_OPENAPI);
}
