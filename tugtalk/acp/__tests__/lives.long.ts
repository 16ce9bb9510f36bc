/** The same random lives as in `lives.test.ts`, many more of them. */
import { testLives } from "../../testing/acp/acp-lives.ts";

testLives(2_000, 180_000);
