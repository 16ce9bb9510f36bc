/** Claude answers the call that starts an agent in the background with a text for the model alone, which begins so. */
const LAUNCH = "Async agent launched";

/**
 * Whether the result of a call says that its agent has been started in the background. The structured result says
 * it, too, but Claude gives none for the call of an agent that has started another one.
 */
export function isInnerLaunch({ output }: { readonly output: string }): boolean {
  return output.startsWith(LAUNCH);
}
