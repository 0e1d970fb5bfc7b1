import type { Head } from '@junctor/contracts'

/** Returns the head of a request with this token, and with more headers. */
export function bearing(token: string, tenant?: string, more: Readonly<Record<string, string>> = {}): Head {
  const headers: Readonly<Record<string, string>> = { authorization: `Bearer ${token}`, ...more }
  return { transport: 'http', tenant, loopback: true, header: (name) => headers[name] }
}
