/** What no log may contain: addresses of people, tokens of their links, passwords. */

const ADDRESS = /[^\s"'<>(]+@[^\s"'<>),]+\.[^\s"'<>),]+/;
const TOKEN = /\btoken=[^\s&"]+/;

/** What these say is for the operator who asks about somebody; what all others say on stderr ends up in logs. */
const PERSONAL = ['subscribers', 'mail'];
const indiscretions: string[] = [];
process.on('exit', () => {
  if (indiscretions.length === 0) return;
  process.stderr.write(`a log tells on somebody: ${indiscretions.join('; ')}\n`);
  process.exitCode = 1;
});

/** Fails the test file if a command said what no log may contain. */
export function noteIndiscretions(
  command: string,
  env: Record<string, string>,
  { out, err }: { out: string; err: string },
): void {
  const told = PERSONAL.includes(command) ? undefined : indiscretion(err, env);
  const secret = passwordsOf(env).find((one) => out.includes(one));
  if (told !== undefined || secret !== undefined) indiscretions.push(`shingle ${command}: ${told ?? secret}`);
}

/** Where a line tells on somebody, or on its operator: the piece itself. `env` names the passwords. */
export function indiscretion(log: string, env: Record<string, string> = {}): string | undefined {
  const secret = passwordsOf(env).find((one) => log.includes(one));
  return ADDRESS.exec(log)?.[0] ?? TOKEN.exec(log)?.[0] ?? secret;
}

/** Those long enough not to be a word that stands there for another reason. */
function passwordsOf(env: Record<string, string>): string[] {
  const urls = [env.SMTP_URL, env.DATABASE_URL].filter((url) => url !== undefined);
  const passwords = urls.map((url) => /:\/\/[^:@/]*:([^@/]+)@/.exec(url)?.[1] ?? '');
  return passwords.filter((one) => one.length > 5);
}
