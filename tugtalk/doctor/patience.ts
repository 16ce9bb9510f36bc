/** How long the doctor waits for anything outside it, and that it can be told to stop. */

/** The longest wait for one step in ms, and the wish to stop. */
export type Patience = { readonly ms: number; readonly signal: AbortSignal };

/** What `promise` gives, or an error that says what was awaited in vain. The work itself goes on. */
export function within<Value>(
  promise: Promise<Value>,
  { ms, signal }: Patience,
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
