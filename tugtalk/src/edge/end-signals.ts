/** The ends of a process that has Claudes to end first: signals, and errors that nothing has caught. */

/** Something that can be ended. */
export type Endable = {
  /** Ends every Claude in the usual way. */
  readonly close: () => void;
  /** The same, because of an error that nothing has caught. */
  readonly fault: (thrown: unknown) => void;
};

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const;

/** Errors that would end the process at once and leave Claude running. */
const FAULTS = ["uncaughtException", "unhandledRejection"] as const;

/** Ends it with a signal, and with an error that nothing has caught. */
export function endOnSignal(
  endable: Endable,
  recording?: {
    readonly recordSignal: (signal: string) => void;
    readonly recordFault: (thrown: unknown) => void;
  },
): void {
  for (const signal of SIGNALS)
    process.on(signal, () => {
      recording?.recordSignal(signal);
      endable.close();
    });
  for (const fault of FAULTS)
    process.on(fault, (thrown) => {
      recording?.recordFault(thrown);
      endable.fault(thrown);
    });
}
