/** Mutated messages: the same for the same seed. */

/** Lines that say what failed: without them changed, nothing becomes a failure that was none. */
const FIELD =
  /^(?:action|status|diagnostic-code|final-recipient|original-recipient|content-type)\s*:|^\s|report-type/i;

type Random = () => number;
type Lines = string[];

const pick = (lines: Lines, random: Random): number => Math.floor(random() * lines.length);
const put = (lines: Lines, at: number, line: string): Lines => lines.with(at, line);

const MUTATIONS: ((lines: Lines, at: number, random: Random) => Lines)[] = [
  (lines, at) => lines.toSpliced(at, 1),
  (lines, at) => lines.toSpliced(at, 0, lines[at]!),
  (lines, at, random) => put(lines, at, lines[at]!.slice(0, pick([...lines[at]!], random))),
  (lines, at) => put(lines, at, lines[at]!.toUpperCase()),
  (lines, at) => put(lines, at, ` ${lines[at]}`),
  (lines, at, random) => put(lines, at, flipped(lines[at]!, random)),
  (lines, at) => put(lines, at, `${lines[at]}\0\u00ff`),
  (lines, at) => lines.toSpliced(at, 0, ''),
  (lines, at) => lines.toSpliced(at, 0, 'x'.repeat(2_000)),
  (lines, at) => lines.slice(0, at),
  (lines, at) => lines.toSpliced(at, 0, '--=_boundary_1', 'Content-Type: message/rfc822', ''),
];

function flipped(line: string, random: Random): string {
  if (line === '') return line;
  const at = Math.floor(random() * line.length);
  const code = line.charCodeAt(at) ^ (1 << Math.floor(random() * 7));
  return line.slice(0, at) + String.fromCharCode(code) + line.slice(at + 1);
}

/** One to six mutations. With `keepsFields`, lines that say what failed stay as they are, where they are. */
export function mutate(
  raw: string,
  random: Random,
  { keepsFields }: { keepsFields: boolean },
): { text: string; bytes: Buffer } {
  let lines = raw.split('\r\n');
  for (let left = 1 + Math.floor(random() * 6); left > 0 && lines.length > 0; left--) {
    const at = pick(lines, random);
    if (keepsFields && FIELD.test(lines[at]!)) continue;
    lines = MUTATIONS[pick(MUTATIONS.map(String), random)]!(lines, at, random);
  }
  const text = lines.join('\r\n');
  return { text, bytes: Buffer.from(text, 'latin1') };
}
