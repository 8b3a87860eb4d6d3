#!/usr/bin/env node
/** The `shingle` command: runs the program on a Node that is new enough for it. */
import { fileURLToPath } from 'node:url';
import { flagsFor, isNewEnough, keepCompiledCode, launch } from './launch.mjs';

keepCompiledCode();
const flags = flagsFor(process.argv[2]);
if (isNewEnough() && flags.length === 0) await import('../src/main.ts');
else launch([...flags, fileURLToPath(new URL('../src/main.ts', import.meta.url)), ...process.argv.slice(2)]);
