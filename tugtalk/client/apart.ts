/** Calls of listeners that hurt nobody else. */

/** A new listener, which calls this one. An error is thrown in a step of its own, so that the caller goes on. */
export function apart<Given>(call: (given: Given) => void): (given: Given) => void {
  return (given) => {
    try {
      call(given);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}
