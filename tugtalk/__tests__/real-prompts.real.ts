/** Prompts that outlive their turn or end with it, with the versions that were measured. */
import { realForms, realSilentTurns } from "../testing/real/real-forms.ts";
import {
  realFormsAtInterrupt,
  realHostCalls,
  realPromptsOutlive,
} from "../testing/real/real-prompts.ts";

realPromptsOutlive("2.1.330");
for (const version of ["2.1.197", "2.1.330"]) {
  realHostCalls(version);
  realFormsAtInterrupt(version);
  realForms(version);
  realSilentTurns(version);
}
