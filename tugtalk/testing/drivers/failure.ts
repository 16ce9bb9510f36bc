/**
 * The error of a promise. `expect(…).rejects` is not used: it runs the event loop within the test until
 * the promise settles, and may miss timers and the ends of pipes and processes.
 */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("it did not fail");
}
