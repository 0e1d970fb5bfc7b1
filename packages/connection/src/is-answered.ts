import type { Message, Notification, Unreadable } from '@junctor/jsonrpc'

/** Whether the sender of a message or of an unreadable entry expects an answer to it. */
export function isAnswered(entry: Message | Unreadable): boolean {
  return entry.kind === 'request' || (entry.kind === 'unreadable' && !entry.silent)
}

/** Returns the notification that an entry is, or that an unreadable entry was intended to be; else an empty list. */
export function notificationOf(entry: Message | Unreadable): readonly Pick<Notification, 'method'>[] {
  if (entry.kind === 'notification') return [entry]
  return entry.kind === 'unreadable' && entry.notification !== undefined ? [{ method: entry.notification }] : []
}
