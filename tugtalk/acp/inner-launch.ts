/** How the text begins that the model gets when it starts an agent in the background. */
const LAUNCH = "Async agent launched";

/** Whether the result of an agent's call says so. That of a call of an agent's own has no structured result. */
export function isInnerLaunch({ output }: { readonly output: string }): boolean {
  return output.startsWith(LAUNCH);
}
