/** What no log may contain: addresses of people, tokens of their links, passwords. */

const ADDRESS = /[^\s"'<>(]+@[^\s"'<>),]+\.[^\s"'<>),]+/;
const TOKEN = /\btoken=[^\s&"]+/;

/** Where a line tells on somebody, or on its operator: the piece itself. `env` names the passwords. */
export function indiscretion(log: string, env: Record<string, string> = {}): string | undefined {
  const secret = passwordsOf(env).find((one) => log.includes(one));
  return ADDRESS.exec(log)?.[0] ?? TOKEN.exec(log)?.[0] ?? secret;
}

/** Those long enough not to be a word that stands there for another reason. */
export function passwordsOf(env: Record<string, string>): string[] {
  const urls = [env.SMTP_URL, env.DATABASE_URL].filter((url) => url !== undefined);
  const passwords = urls.map((url) => /:\/\/[^:@/]*:([^@/]+)@/.exec(url)?.[1] ?? '');
  return passwords.filter((one) => one.length > 5);
}
