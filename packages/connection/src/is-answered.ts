import type { Message, Notification, Unreadable } from '@junctor/jsonrpc'

/** Whether the sender of a message, or of what is none, waits for an answer to it. */
export function isAnswered(entry: Message | Unreadable): boolean {
  return entry.kind === 'request' || (entry.kind === 'unreadable' && !entry.silent)
}

/** The notification that an entry is, or was meant to be; none when it is something else. */
export function notificationOf(entry: Message | Unreadable): readonly Pick<Notification, 'method'>[] {
  if (entry.kind === 'notification') return [entry]
  return entry.kind === 'unreadable' && entry.notification !== undefined ? [{ method: entry.notification }] : []
}
