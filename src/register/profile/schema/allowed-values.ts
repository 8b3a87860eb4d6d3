/** Lists the words among which a profile chooses: places and findings. */

/** A file or folder, relative to the profile or absolute, or an http(s) URL. */
export type Place = { file: string } | { url: string };
