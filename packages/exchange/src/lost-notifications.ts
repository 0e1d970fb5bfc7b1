import { memberOf, payloadOf } from '@junctor/jsonrpc'
import { isLogLevel, methods, reachesLevel } from '@junctor/protocol'
import type { NotificationBody } from './event.ts'

/** Counts the notifications of one request that were dropped. */
export class LostNotifications {
  #count = 0
  #takesWarnings = false

  /** Counts one that its client would have got. */
  add({ method, params }: NotificationBody): void {
    this.#count += 1
    if (this.#takesWarnings || method !== methods.notificationsMessage) return
    const level = memberOf(params?.value(), 'level')
    this.#takesWarnings = isLogLevel(level) && reachesLevel('warning', level)
  }

  /**
   * A log message that tells the client how many it has lost. Undefined when no lost one shows that the client takes log
   * messages of the level `warning`: an error alone does not, because the client may want errors only.
   */
  get notice(): NotificationBody | undefined {
    if (!this.#takesWarnings) return undefined
    const data = `${this.#count} notifications of this request were dropped, because they were not read in time`
    return { method: methods.notificationsMessage, params: payloadOf({ level: 'warning', logger: 'junctor', data }) }
  }
}
