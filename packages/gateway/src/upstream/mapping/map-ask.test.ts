import { describe, expect, it } from 'vitest'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import type { Revision } from '@junctor/protocol'
import { mapAsk } from './map-ask.ts'

function contextWith(capabilities: JsonObject, revision: Revision = '2025-11-25') {
  const principal = { issuer: 'local', subject: 'ada', key: 'local ada' }
  const client = { info: {}, capabilities }
  return { tenant: 'default', principal, session: 's_1', revision, client, trace: undefined }
}

const schema = { type: 'object', properties: {} }
const form = { method: 'elicitation/create', params: payloadOf({ message: 'Sure?', requestedSchema: schema }) }

function shown(mapped: ReturnType<typeof mapAsk>): unknown {
  return mapped.kind === 'ask' ? mapped.request.params?.value() : mapped
}

describe('mapAsk', () => {
  it('names the asking backend in a question to a person', () => {
    expect(shown(mapAsk('files', contextWith({ elicitation: {} }), form))).toMatchObject({ message: '[files] Sure?' })
  })

  it('does not change the message of a backend without a prefix', () => {
    expect(shown(mapAsk('', contextWith({ elicitation: {} }), form))).toMatchObject({ message: 'Sure?' })
  })

  it('does not change questions that no person reads', () => {
    const request = { method: 'roots/list', params: undefined }
    expect(mapAsk('files', contextWith({ roots: {} }), request)).toEqual({ kind: 'ask', request })
  })

  it.each([
    ['did not declare that it answers', contextWith({ sampling: {} })],
    ['speaks a revision without them', contextWith({ elicitation: {} }, '2025-03-26')],
  ])('refuses a form for a client that %s', (_, context) => {
    expect(mapAsk('files', context, form).kind).toBe('refused')
  })

  it.each([
    [
      'gets an id for a client of 2025-11-25, which refuses a URL without one',
      '2025-11-25',
      undefined,
      expect.any(String),
    ],
    ['keeps the id of its server', '2025-11-25', 'e-1', 'e-1'],
    ['gets none for a client of 2026-07-28', '2026-07-28', undefined, undefined],
  ] as const)('a URL %s', (_, revision, elicitationId, id) => {
    const params = {
      mode: 'url',
      url: 'https://example.com',
      message: 'Sure?',
      ...(elicitationId && { elicitationId }),
    }
    const request = { method: 'elicitation/create', params: payloadOf(params) }
    const context = contextWith({ elicitation: { url: {} } }, revision)
    expect((shown(mapAsk('files', context, request)) as JsonObject)['elicitationId']).toEqual(id)
  })
})
