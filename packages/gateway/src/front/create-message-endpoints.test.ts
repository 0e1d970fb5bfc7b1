import { mcpProfile } from '@junctor/protocol'
import { expect, test } from 'vitest'
import type { Identity } from '@junctor/contracts'
import { createMessageEndpoints } from './create-message-endpoints.ts'

const identity = (subject: string, tenant = 'default'): Identity => ({
  kind: 'identity',
  principal: { issuer: 'local', subject, key: `local ${subject}` },
  tenant: { name: tenant, profile: mcpProfile },
})

function open() {
  const taken: string[] = []
  let names = 0
  const messageEndpoints = createMessageEndpoints(() => `address-${names++}`)
  const address = messageEndpoints.open(identity('ada'), (body) => {
    taken.push(Buffer.from(body).toString())
    return taken.length > 1 ? 'opening' : 'taken'
  })
  return { messageEndpoints, address, taken }
}

const body = Buffer.from('hello')

test('a posted message goes to the owner of the address, who decides what happens with it', () => {
  const { messageEndpoints, address, taken } = open()
  expect(messageEndpoints.post(address.name, identity('ada'), body)).toBe('taken')
  expect(messageEndpoints.post(address.name, identity('ada'), body)).toBe('opening')
  expect(taken).toEqual(['hello', 'hello'])
})

test.each([
  ['another principal', identity('bob')],
  ['the same one at another tenant', identity('ada', 'acme')],
])('the address of another client is unknown: %s', (_name, other) => {
  const { messageEndpoints, address, taken } = open()
  expect(messageEndpoints.post(address.name, other, body)).toBe('unknown')
  expect(taken).toEqual([])
})

test('an address that is closed, or never existed, is unknown', () => {
  const { messageEndpoints, address } = open()
  expect(messageEndpoints.post('address-7', identity('ada'), body)).toBe('unknown')
  address.close()
  expect(messageEndpoints.post(address.name, identity('ada'), body)).toBe('unknown')
})
