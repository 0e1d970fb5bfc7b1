import type { Handler } from '@junctor/exchange'
import type { Leave } from '../../shared/large-requests.ts'

/** The same handler, which calls `leave` when it has ended. */
export function leaving(handler: Handler, leave: Leave): Handler {
  return (request, exchange) => {
    let outcome: ReturnType<Handler> | undefined
    try {
      outcome = handler(request, exchange)
      return outcome
    } finally {
      if (outcome instanceof Promise) outcome.then(leave, leave)
      else leave()
    }
  }
}
