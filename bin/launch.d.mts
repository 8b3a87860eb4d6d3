/** The path of the program: TypeScript in a checkout, JavaScript in the npm package. */
export const MAIN: string;
/** Reads the file `.env` of the current folder, if there is one. Variables that are set already stay as they are. */
export function readEnvFile(): void;
/** Whether a Node of this version (default: the running one) can run Shingle. */
export function isNewEnough(version?: string): boolean;
/** Keeps compiled code for this process and those it starts, so that the next start is faster. */
export function keepCompiledCode(): void;
/** The flags of Node that a command of Shingle runs with. */
export function flagsFor(command: string | undefined): string[];
/** Variables for the allocator of a process that serves. */
export const ALLOCATION: Record<string, string>;
/** Runs Node, new enough for Shingle, with these arguments in place of this process. */
export function launch(args: readonly string[]): void;
