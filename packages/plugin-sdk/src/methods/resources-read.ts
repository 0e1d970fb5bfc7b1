import { andThen } from '@junctor/primitives'
import type { Outcome } from '@junctor/exchange'
import { findResource } from '../catalogue.ts'
import { printedPayload } from '../printed-payload.ts'
import type { MethodCall } from './method-handler.ts'

/** `resources/read`. */
export function readResource(call: MethodCall): Outcome | Promise<Outcome> {
  const { uri } = call.params
  if (typeof uri !== 'string') return call.error('invalid_params', { message: 'Expected the URI of a resource' })
  const found = findResource(call.catalogue, uri)
  if (found === undefined) return call.error('unknown_resource', { name: uri })
  return andThen(found.resource.read(uri, found.variables, call.context), (contents) =>
    contents === undefined
      ? call.error('unknown_resource', { name: uri })
      : { kind: 'complete', result: printedPayload({ contents }) },
  )
}
