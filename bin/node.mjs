/** Runs Node on a script or its tests, as `node` would: `node bin/node.mjs --test FILE`. */
import { launch } from './launch.mjs';

launch(process.argv.slice(2));
