import { defaultFrameBounds, payloadFromText, payloadOf, requestId } from '@junctor/jsonrpc'
import { describe, expect, it } from 'vitest'
import { cancelledRequest, cancelTarget } from './cancel-request.ts'

const longest = 'x'.repeat(defaultFrameBounds.idLength - 2)

describe('the id of a request to cancel', () => {
  it.each<[string, string]>([
    ['"a"', '"a"'],
    ['1', '1'],
    ['9007199254740993', '9007199254740993'],
    ['null', 'null'],
    [JSON.stringify(longest), JSON.stringify(longest)],
  ])('%s is itself', (text, id) => {
    expect(cancelledRequest(payloadFromText(`{"requestId":${text}}`))).toBe(id)
  })

  it.each(['{}', '[1]', 'true'])('%s is none', (text) => {
    expect(cancelledRequest(payloadFromText(`{"requestId":${text}}`))).toBeUndefined()
  })

  it('is none when no request can have it, so that other nodes are not asked for it', () => {
    const digits = '1'.repeat(defaultFrameBounds.idLength + 1)
    expect(cancelledRequest(payloadOf({ requestId: `${longest}x` }))).toBeUndefined()
    expect(cancelledRequest(payloadFromText(`{"requestId":${digits}}`))).toBeUndefined()
    expect(cancelTarget(payloadOf({ id: `${longest}x` }))).toBeUndefined()
    expect(cancelTarget(payloadOf({ stream: 7 }))).toBe(requestId(7))
  })
})
