#!/usr/bin/env node
// The door for `npx shingle`: plain JavaScript, so that a Node too old to read TypeScript can still say so.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 24 || (major === 24 && minor >= 21)) {
  await import('../src/main.ts');
} else {
  process.stderr.write(
    `Shingle needs Node 24.21 or newer and this is ${process.versions.node}; "npm start" and "npx shingle" bring their own.\n`,
  );
  process.exitCode = 78;
}
