import { edit, isJsonObject, member, type Payload, payloadOf } from '@junctor/plugin-sdk/link'
import { metaOf } from './meta-of.ts'

/** In the `_meta` of a question: the gateway that sends it does not know for sure which request has caused it. */
const key = 'junctor/guessed'

/** Marks the params of a question. */
export function markGuessed(params: Payload = payloadOf({})): Payload {
  const own = member(params, '_meta')
  const meta = own !== undefined && isJsonObject(own.value()) ? own : payloadOf({})
  return edit(params, { _meta: edit(meta, { [key]: true }) })
}

/** Whether another gateway has marked the params of a question. */
export function isMarkedGuessed(params: Payload | undefined): boolean {
  return metaOf(params)?.[key] === true
}
