import type { MessageMembers } from './envelope.ts'

/**
 * The members of a message of JSON-RPC 2.0 without those that are null because its kind does not use them: libraries that
 * print every member write `"method":null,"result":{},"error":null`. The same object when there are none of these, and when
 * the message uses none of the three: then its fault can be named.
 */
export function usedMembers(members: MessageMembers): MessageMembers {
  if (members.method !== null && members.result !== null && members.error !== null) return members
  const { method, result, error, ...others } = members
  const used = Object.entries({ method, result, error }).filter(([, value]) => value !== undefined && value !== null)
  return used.length === 0 ? members : { ...others, ...Object.fromEntries(used) }
}
