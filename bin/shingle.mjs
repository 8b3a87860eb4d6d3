#!/usr/bin/env node
/** The `shingle` command: runs the program on a Node that is new enough for it. */
import { pathToFileURL } from 'node:url';
import { flagsFor, isNewEnough, keepCompiledCode, launch, MAIN, readEnvFile } from './launch.mjs';

readEnvFile();
keepCompiledCode();
const flags = flagsFor(process.argv[2]);
if (isNewEnough() && flags.length === 0) await import(pathToFileURL(MAIN).href);
else launch([...flags, MAIN, ...process.argv.slice(2)]);
