import type { PluginContext } from '@junctor/plugin-sdk'
import type { RecordStores } from '../src/provider/store-adapter.ts'

/** The records of a login server of a test. They are kept for a minute, longer than any test. */
export function sampleStores({ store }: Pick<PluginContext, 'store'>): RecordStores {
  return {
    begun: store('begun', 60_000),
    short: store('short', 60_000),
    long: store('long', 60_000),
    newClients: store('new-clients', 60_000),
    clients: store('clients', 60_000),
  }
}
