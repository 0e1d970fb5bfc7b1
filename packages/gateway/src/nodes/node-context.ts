import type { CallContext } from '@junctor/exchange'
import { latestHandshake } from '@junctor/protocol'

/** The context of what nodes ask of each other for themselves, for no client and no tenant. */
export const nodeContext: CallContext = {
  tenant: '',
  principal: { issuer: 'node', subject: '', key: 'node' },
  session: undefined,
  revision: latestHandshake,
  client: { info: {}, capabilities: {} },
  trace: undefined,
}
