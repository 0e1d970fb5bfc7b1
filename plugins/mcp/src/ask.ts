import type { Payload, Response } from '@junctor/plugin-sdk/link'

/** Sends a request of the link's own upstream. Rejects when there is no response: the link ended, a signal aborted. */
export type Ask = (method: string, params: Payload | undefined) => Promise<Response>
