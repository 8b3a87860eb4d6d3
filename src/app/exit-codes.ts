/** The exit codes of commands, as docs/reference.md documents them. */
export const EXIT = { done: 0, failed: 1, usage: 2, held: 3, later: 75, refused: 78 } as const;
