/**
 * Whether what is at the page's address is the host that the page was connected with: while that is down,
 * another program may have its port, and would be sent the cookie with every attempt to connect.
 */

const ANSWER_MS = 10_000;

const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

/**
 * Never rejects. True without a check where it cannot be made: browsers have cryptography over TLS, and
 * for names under `.localhost` and loopback.
 */
export async function isHostThere(): Promise<boolean> {
  const key = document.querySelector<HTMLMetaElement>('meta[name="tugtalk-proof"]')?.content ?? "";
  if (key === "" || !isSecureContext) return true;
  const nonce = crypto.randomUUID();
  try {
    return await isProof(key, nonce, await proofFor(nonce));
  } catch {
    return false; // Nobody is there, or it is no host.
  }
}

async function proofFor(nonce: string): Promise<string> {
  const answer = await fetch(`/api/proof?nonce=${nonce}`, {
    credentials: "omit",
    cache: "no-store",
    redirect: "error",
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const { proof } = await answer.json();
  return String(proof);
}

async function isProof(key: string, nonce: string, proof: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const own = await crypto.subtle.importKey("raw", encoder.encode(key), HMAC, false, ["verify"]);
  return await crypto.subtle.verify("HMAC", own, bytesOf(proof), encoder.encode(nonce));
}

/** Of base64url. Throws for what is none. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
