/** The two functions of shpjs that tests compare with; it comes without types. */
declare module 'shpjs' {
  export function parseShp(bytes: Uint8Array): { type: string; coordinates: unknown }[];
  export function parseDbf(bytes: Uint8Array): Record<string, string>[];
}
