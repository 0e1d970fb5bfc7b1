import { printPayload } from '@junctor/jsonrpc'
import type { NotificationBody } from './event.ts'

/** What a notification needs besides its text, in characters: small ones must not be free. */
const notificationCost = 256

/** The size of a notification in characters. One that cannot be printed has no text: writing it will fail. */
export function notificationSize({ params }: NotificationBody): number {
  if (params === undefined) return notificationCost
  try {
    return notificationCost + printPayload(params).length
  } catch {
    return notificationCost
  }
}
