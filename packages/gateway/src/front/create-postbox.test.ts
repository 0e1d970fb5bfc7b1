import { mcpProfile } from '@junctor/protocol'
import { expect, test } from 'vitest'
import type { Identity } from '@junctor/contracts'
import { createPostbox } from './create-postbox.ts'

const identity = (subject: string, tenant = 'default'): Identity => ({
  kind: 'identity',
  principal: { issuer: 'local', subject, key: `local ${subject}` },
  tenant: { name: tenant, profile: mcpProfile },
})

function open() {
  const taken: string[] = []
  let names = 0
  const postbox = createPostbox(() => `address-${names++}`)
  const address = postbox.open(identity('ada'), (body) => {
    taken.push(Buffer.from(body).toString())
    return taken.length > 1 ? 'opening' : 'taken'
  })
  return { postbox, address, taken }
}

const body = Buffer.from('hello')

test('a posted message goes to the owner of the address, who decides what happens with it', () => {
  const { postbox, address, taken } = open()
  expect(postbox.post(address.name, identity('ada'), body)).toBe('taken')
  expect(postbox.post(address.name, identity('ada'), body)).toBe('opening')
  expect(taken).toEqual(['hello', 'hello'])
})

test.each([
  ['another principal', identity('bob')],
  ['the same one at another tenant', identity('ada', 'acme')],
])('the address of another client is unknown: %s', (_name, other) => {
  const { postbox, address, taken } = open()
  expect(postbox.post(address.name, other, body)).toBe('unknown')
  expect(taken).toEqual([])
})

test('an address that is closed, or never existed, is unknown', () => {
  const { postbox, address } = open()
  expect(postbox.post('address-7', identity('ada'), body)).toBe('unknown')
  address.close()
  expect(postbox.post(address.name, identity('ada'), body)).toBe('unknown')
})
