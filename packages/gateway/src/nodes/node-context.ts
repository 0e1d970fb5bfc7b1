import type { CallContext } from '@junctor/exchange'
import { latestHandshake } from '@junctor/protocol'

/** The context of requests that nodes send to each other for themselves, without a client or tenant. */
export const nodeContext: CallContext = {
  tenant: '',
  principal: { issuer: 'node', subject: '', key: 'node' },
  session: undefined,
  revision: latestHandshake,
  client: { info: {}, capabilities: {} },
  trace: undefined,
}
