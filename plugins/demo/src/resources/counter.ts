import { createResource, type Resource } from '@junctor/plugin-sdk'
import { counterUri, type Counter } from '../counter.ts'

/** A resource with the number of `tick` calls, which notifies its subscribers after each call. */
export function createCounterResource(counter: Counter): Resource {
  return createResource({
    uri: counterUri,
    name: 'counter',
    title: 'Counter',
    description: 'How often the tool tick was called. Subscribe, then call tick.',
    mimeType: 'application/json',
    read: (_uri, _variables, { exchange }) => JSON.stringify({ count: counter.read(exchange.context.tenant) }),
    subscribe: (_uri, updated, scope) => counter.onTick(scope, updated),
  })
}
