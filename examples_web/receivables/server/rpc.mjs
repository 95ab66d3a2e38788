// The human path: the same router by oRPC's own handler.
import { RPCHandler } from "@orpc/server/fetch";
import { router } from "./router.mjs";

export function createRpc({ sessions, store }) {
  const handler = new RPCHandler(router);
  return async (request) => {
    const user = sessions.of(request)?.user;
    const { response } = await handler.handle(request, { prefix: "/rpc", context: { user, store } });
    return response ?? new Response("not found", { status: 404 });
  };
}
