import type { Handler } from '@junctor/exchange'
import type { HomeKeeper } from './home-keeper.ts'

/** Whatever other nodes want of a session at home here is done when it is known that it still is. */
export function whenChecked(keeper: Pick<HomeKeeper, 'checked'>, handler: Handler): Handler {
  return (request, exchange) => {
    const checked = keeper.checked(exchange.context.session ?? '')
    return checked === undefined ? handler(request, exchange) : checked.then(() => handler(request, exchange))
  }
}
