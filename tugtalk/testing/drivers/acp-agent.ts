/**
 * Starts our ACP agent over pipes, as an editor does. Each frame of it is checked with the schema that the
 * protocol publishes.
 */
import { AcpClient } from "./acp-client.ts";
import { UNDER_TEST } from "./bridge-process.ts";
import { STAND_IN } from "./claudes.ts";

export type AcpOptions = {
  /** The program without its sub-command. */
  readonly command?: readonly string[];
  readonly claude?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** `env` is the whole environment. */
  readonly isIsolated?: boolean;
};

export class AcpAgent extends AcpClient {
  constructor(options: AcpOptions = {}) {
    const { command = UNDER_TEST, claude = STAND_IN, args = [], env = {} } = options;
    const { isIsolated = false } = options;
    super({
      command: [...command, "acp", `--claude=${claude}`, ...args],
      env: isIsolated ? env : { ...process.env, TUGTALK_SIM_SPEED: "max", ...env },
      isChecked: true,
    });
  }
}
