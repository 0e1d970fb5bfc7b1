import type { Handler } from '@junctor/exchange'
import type { HomeKeeper } from './home-keeper.ts'

/** Wraps a handler for calls of other nodes: it runs after the check that this node is still the session's home. */
export function whenChecked(keeper: Pick<HomeKeeper, 'checked'>, handler: Handler): Handler {
  return (request, exchange) => {
    const checked = keeper.checked(exchange.context.session ?? '')
    return checked === undefined ? handler(request, exchange) : checked.then(() => handler(request, exchange))
  }
}
