/** Prompts that outlive their turn or are cut off by its end, with the versions that were seen to do so. */
import {
  realFormsAtInterrupt,
  realHostCalls,
  realPromptsOutlive,
} from "../testing/real/real-prompts.ts";

realPromptsOutlive("2.1.330");
for (const version of ["2.1.197", "2.1.330"]) {
  realHostCalls(version);
  realFormsAtInterrupt(version);
}
