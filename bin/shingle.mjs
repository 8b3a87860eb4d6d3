#!/usr/bin/env node
/** The `shingle` command: runs the program on a Node that is new enough for it. */
import { fileURLToPath } from 'node:url';
import { isNewEnough, keepCompiledCode, launch } from './launch.mjs';

keepCompiledCode();
if (isNewEnough()) await import('../src/main.ts');
else launch([fileURLToPath(new URL('../src/main.ts', import.meta.url)), ...process.argv.slice(2)]);
