import type { Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import { findResource } from '../catalogue.ts'
import { invalidAnswer } from '../misused.ts'
import type { MethodCall, LinkState } from './method-handler.ts'

/** `resources/subscribe`. A second subscription to the same URI changes nothing. */
export function subscribe(call: MethodCall): Outcome {
  const { uri } = call.params
  if (typeof uri !== 'string') return call.error('invalid_params', { message: 'Expected the URI of a resource' })
  const found = findResource(call.catalogue, uri)
  if (found === undefined) return call.error('unknown_resource', { name: uri })
  const { link } = call
  if (!link.subscriptions.has(uri)) {
    const stop: unknown = found.resource.subscribe?.(uri, () => notifyUpdated(link, uri), link.scope)
    if (stop !== undefined && typeof stop !== 'function') {
      throw invalidAnswer(`subscriptions to ${uri}`, 'a function that ends the subscription', stop)
    }
    link.subscriptions.set(uri, () => void stop?.())
  }
  return done
}

/** `resources/unsubscribe`. Succeeds also when there is no subscription. */
export function unsubscribe(call: MethodCall): Outcome {
  const { uri } = call.params
  if (typeof uri !== 'string') return call.error('invalid_params', { message: 'Expected the URI of a resource' })
  const stop = call.link.subscriptions.get(uri)
  call.link.subscriptions.delete(uri)
  stop?.()
  return done
}

/** Notifies the client that a resource has changed, if the client has subscribed to it. */
export function notifyUpdated(link: LinkState, uri: string): void {
  if (!link.subscriptions.has(uri)) return
  link.client.notify({ method: methods.notificationsResourcesUpdated, params: payloadOf({ uri }) })
}

const done: Outcome = { kind: 'complete', result: payloadOf({}) }
