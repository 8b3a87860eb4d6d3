/** Compiled once, not for each of the hundreds of processes that tests start: that halves their time. Loaded before any test. */

import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));
enableCompileCache(folder);
process.env.NODE_COMPILE_CACHE = folder;
