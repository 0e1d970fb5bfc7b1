import type { Handler } from '@junctor/exchange'
import type { SessionDirectory } from './session-directory.ts'

/** Whatever other nodes want of a session at home here is done when it is known that it still is. */
export function whenChecked(directory: Pick<SessionDirectory, 'checked'>, handler: Handler): Handler {
  return (request, exchange) => {
    const checked = directory.checked(exchange.context.session ?? '')
    return checked === undefined ? handler(request, exchange) : checked.then(() => handler(request, exchange))
  }
}
