/** The OpenAPI document as JSON, from the program or made from the sources beside it. */
import { unpackText } from "../page/packed-text.ts";

/** Put here by the build, packed. */
declare const TUGTALK_OPENAPI: string | undefined;

let loaded: Promise<string> | undefined;

/** Made when it is first wanted: a host that nobody asks for it needs neither the time nor the memory. */
export function loadOpenApi(): Promise<string> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<string> {
  // In this order, so that the build leaves out what makes the document.
  if (typeof TUGTALK_OPENAPI === "undefined") {
    const { openApiText } = await import("./document.ts");
    return openApiText();
  }
  return unpackText(TUGTALK_OPENAPI);
}
