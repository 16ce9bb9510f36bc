/**
 * A host proves that it has the token of its data folder before it gets any secret. Another program may hold
 * its port while it is down or after it was killed.
 */
import { createHmac } from "node:crypto";
import { z } from "zod";
import { parseJson } from "../../src/base/json.ts";
import { isEqual, newSecret } from "./secret.ts";

/** Answered to anybody who calls the host by one of its names. */
export const PROOF_PATH = "/api/proof";

/** The program that answers at the port of a host: the host, another program, or none. */
export type Answering = "host" | "other" | "nobody";

type Prover = {
  readonly token: string;
  /** The port of the host, or the public address that many hosts share. */
  readonly address: number | string;
};

const NONCE = /^[\w-]{22,64}$/;

const ANSWER_MS = 5_000;

/** More characters than any proof has. */
const MAX_ANSWER_CHARS = 1_000;

const Answer = z.object({ proof: z.string() });

/**
 * The key that a host proves to have. It depends on the address, so that no program can pass on the proof of
 * another host. The page has the key, too, which serves to check and make proofs alone.
 */
export function proofKeyOf({ token, address }: Prover): string {
  return createHmac("sha256", token).update(`proof ${address}`).digest("base64url");
}

/** Undefined if the nonce is invalid. */
export function proofOf(key: string, nonce: string): string | undefined {
  if (!NONCE.test(nonce)) return undefined;
  return createHmac("sha256", key).update(nonce).digest("base64url");
}

/** Asks for a proof at this port of loopback. Sends neither the token nor a code. */
export async function whoAnswers(token: string, port: number): Promise<Answering> {
  const nonce = newSecret();
  const key = proofKeyOf({ token, address: port });
  try {
    const url = `http://127.0.0.1:${port}${PROOF_PATH}?nonce=${nonce}`;
    const signal = AbortSignal.timeout(ANSWER_MS);
    const text = await beginningOf(await fetch(url, { redirect: "manual", signal }));
    const proof = Answer.safeParse(parseJson(text)).data?.proof ?? "";
    return isEqual(proof, proofOf(key, nonce) ?? "") ? "host" : "other";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "ConnectionRefused" || code === "ECONNREFUSED" ? "nobody" : "other";
  }
}

/** The beginning of a body that may have no end. */
async function beginningOf({ body }: Response): Promise<string> {
  let text = "";
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.length > MAX_ANSWER_CHARS) break;
  }
  return text;
}
