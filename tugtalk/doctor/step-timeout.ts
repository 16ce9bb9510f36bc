/** How long the doctor waits for anything outside it. */

/** The longest wait for one step in ms, and the signal that ends every wait. */
export type StepTimeout = { readonly ms: number; readonly signal: AbortSignal };

/**
 * The value of `promise`, or an error with `awaited` if it does not come in time. The work itself goes on.
 */
export function within<Value>(
  promise: Promise<Value>,
  { ms, signal }: StepTimeout,
  awaited: string,
): Promise<Value> {
  const { promise: end, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new Error("stopped by a signal"));
  const timer = setTimeout(() => reject(new Error(`no ${awaited} in ${ms} ms`)), ms);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  return Promise.race([promise, end]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  });
}
