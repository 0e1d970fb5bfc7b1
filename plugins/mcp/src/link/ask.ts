import type { Payload, Response } from '@junctor/plugin-sdk/link'

/**
 * Sends a request of the link itself, not of a client. Rejects when there is no response: link ended, signal aborted.
 */
export type Ask = (method: string, params: Payload | undefined) => Promise<Response>
