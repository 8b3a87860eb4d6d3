/** Texts that publishers write into a cell that is empty. */

const MISSING =
  /^(?:n\/?a|n\.a\.?|none|null|nil|nan|not available|not applicable|not provided|not specified|no data|s\/n|s\/d|k\.? ?a\.?|#n\/a|\(null\)|\(blank\)|[^\p{L}\p{N}]+)$/iu;

/** Whether a text means "empty" in any column of any register, or is one of `extra`, in whatever case. */
export function isMissing(text: string, extra: ReadonlySet<string> = NONE): boolean {
  return (
    text === '' ||
    (text.length <= 16 && MISSING.test(text)) ||
    (extra.size > 0 && extra.has(text.toLowerCase()))
  );
}

const NONE: ReadonlySet<string> = new Set();
