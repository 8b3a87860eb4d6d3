const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for use between tags and in quoted attributes. Most texts need nothing or are addresses, and a test is faster than a replacement. */
export function escapeMarkup(text: string): string {
  if (!/[<>"']/.test(text)) return text.replaceAll('&', '&amp;');
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
