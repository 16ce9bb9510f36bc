/** Models that are chosen in a turn, with every measured version of the CLI. */
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { EXPECTED } from "../testing/real/real-expected.ts";
import { realHeldModels } from "../testing/real/real-held-models.ts";

for (const version of MEASURED_VERSIONS) {
  const { haiku } = EXPECTED[version];
  const flags = version === "2.1.38" ? [] : (["apply_flag_settings"] as const);
  realHeldModels(version, { haiku, ways: ["model_change", ...flags] });
}
