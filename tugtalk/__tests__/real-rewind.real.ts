/** Going back in a conversation, and settings that outlive a process, with every measured version of the CLI. */
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { realModels } from "../testing/real/real-models.ts";
import { realRewind } from "../testing/real/real-rewind.ts";

for (const version of MEASURED_VERSIONS) {
  realRewind(version);
  realModels(version);
}
