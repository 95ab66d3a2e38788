// Who is signed in. Sessions are rows, so that a restart signs nobody out. Two people, no passwords: it is a demo.
import { randomBytes } from "node:crypto";
import { readCookie, sessionCookie } from "viewcap/host";

export const USERS = {
  maria: { id: "maria", name: "Maria", role: "collector" },
  jonas: { id: "jonas", name: "Jonas", role: "analyst" },
};
const COOKIE = "receivables_session";

export const actorOf = ({ id, role }) => ({ id, kind: "user", attributes: { role } });

export class Sessions {
  #database;

  constructor({ database }) {
    this.#database = database;
  }

  /** `{id, user}`, or undefined. */
  of(request) {
    const id = readCookie(request, COOKIE);
    if (id === undefined) return undefined;
    const row = this.#database.prepare("SELECT userId FROM sessions WHERE id = ?").get(id);
    const user = row === undefined ? undefined : USERS[row.userId];
    return user === undefined ? undefined : { id, user };
  }

  /** GET, POST {user} and DELETE of /api/session. */
  async answer(request) {
    if (request.method === "GET") {
      const session = this.of(request);
      return json({ user: session?.user ?? null });
    }
    const old = readCookie(request, COOKIE);
    if (old !== undefined) this.#database.prepare("DELETE FROM sessions WHERE id = ?").run(old);
    if (request.method === "DELETE")
      return json({}, 200, sessionCookie(COOKIE, "", { maxAgeSeconds: 0, secure: false }));
    const body = await request.json().catch(() => undefined);
    const user = Object.hasOwn(USERS, String(body?.user)) ? USERS[body.user] : undefined;
    if (request.method !== "POST" || user === undefined)
      return json({ error: `user is one of ${Object.keys(USERS).join(", ")}` }, 400);
    const id = randomBytes(32).toString("base64url");
    this.#database
      .prepare("INSERT INTO sessions (id, userId, createdAt) VALUES (?, ?, ?)")
      .run(id, user.id, Date.now());
    return json({ user }, 200, sessionCookie(COOKIE, id, { secure: false }));
  }
}

export function json(value, status = 200, cookie = undefined) {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return new Response(JSON.stringify(value), {
    status,
    headers: { ...headers, ...(cookie && { "set-cookie": cookie }) },
  });
}
