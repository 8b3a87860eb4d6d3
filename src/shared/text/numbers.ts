/** Formats numbers for operators and developers, in English. */

export function formatNumber(count: number): string {
  return count.toLocaleString('en');
}

/** Formats a number of things: `1 listing`, `12,000 listings`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** Formats a share as a percentage, with at most one decimal: `98.8 %`. */
export function formatShare(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

/** Joins the first of some texts: `a, b and 3 more`. */
export function joinFirst(texts: readonly string[], most = 5): string {
  const more = texts.length - most;
  return texts.slice(0, most).join(', ') + (more > 0 ? ` and ${formatNumber(more)} more` : '');
}
