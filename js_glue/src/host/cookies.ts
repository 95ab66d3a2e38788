// The session's cookie: not to be read by scripts, not to be sent along from another site.

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\w!#$%&'()*+./:<=>?@[\]^`{|}~-]*$/;

export interface SessionCookieOptions {
  /** Absent: until the browser is closed. 0 takes the cookie away. */
  readonly maxAgeSeconds?: number;
  /** Default true; false only for development over http, where a browser does not take Secure on loopback. */
  readonly secure?: boolean;
  /** Default "/". */
  readonly path?: string;
}

/** The text of a Set-Cookie header. TypeError for a name or a value that would be another cookie. */
export function sessionCookie(name: string, value: string, options: SessionCookieOptions = {}): string {
  const { maxAgeSeconds, secure = true, path = "/" } = options;
  if (!NAME.test(name)) throw new TypeError("sessionCookie: the name must be a token");
  if (!VALUE.test(value)) throw new TypeError('sessionCookie: the value must be visible ASCII without , ; " and \\');
  if (!/^\/[\w./~-]*$/.test(path)) throw new TypeError("sessionCookie: the path must start with a slash");
  const age = maxAgeSeconds === undefined ? "" : `; Max-Age=${String(Math.trunc(maxAgeSeconds))}`;
  return `${name}=${value}; Path=${path}${age}; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`;
}

/** The value of a cookie of that name; undefined when there is none, or more than one: nobody can say which is ours. */
export function readCookie(request: { readonly headers: Headers }, name: string): string | undefined {
  const found = (request.headers.get("cookie") ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}
