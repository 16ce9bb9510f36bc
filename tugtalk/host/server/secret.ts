/** Secrets as text. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Compares in a time that does not depend on the content: digests have one length. */
export function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
