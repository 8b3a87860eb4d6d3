/** A signup over HTTP, as a program makes it. */

export function postSignup(
  url: string,
  email: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/api/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email, type: 'weekly' }),
  });
}
