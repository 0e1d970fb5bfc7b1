import type { Socket } from 'node:net'
import { urlHost } from '@junctor/primitives'
import type { ReceivedRequest } from './received-request.ts'
import { sessionParameter } from '../headers/session-parameter.ts'

/**
 * The absolute URL to which messages of a session are posted: below the public URL, else at the local address of the
 * connection. No part of it comes from request headers, which another party may have set.
 */
export function sessionUrl({ serving, request, tenant }: ReceivedRequest, id: string): string {
  const endpoint = `${serving.publicUrl ?? `${address(request.socket)}${serving.prefix}`}/mcp`
  const session = encodeURIComponent(id)
  if (tenant === undefined) return `${endpoint}?${sessionParameter}=${session}`
  return `${endpoint}/${encodeURIComponent(tenant)}/${session}`
}

function address(socket: Socket): string {
  const { localAddress = '', localPort } = socket
  const host = localAddress.replace(/^::ffff:(?=\d+\.)/i, '')
  return `${'encrypted' in socket ? 'https' : 'http'}://${urlHost(host)}:${localPort}`
}
