import { expect, it } from 'vitest'
import { openCallerToken, sealCallerToken } from './caller-token.ts'
import type { Seal } from './fabric.ts'

/** A seal that binds data to their place, and hides nothing. */
const seal: Seal = {
  close: (place, data) => Buffer.concat([Buffer.from(`${place}\n`), data]),
  open(place, sealed) {
    const head = Buffer.from(`${place}\n`)
    const isHere = head.equals(Buffer.from(sealed.subarray(0, head.length)))
    return isHere ? sealed.subarray(head.length) : undefined
  },
}

const owner = { tenant: 'a', principal: 'ada' }
const token = { token: 'abc', expires: 17 }

it('opens for its owner alone', () => {
  const sealed = sealCallerToken(seal, owner, token)
  expect(openCallerToken(seal, owner, sealed)).toEqual(token)
  expect(openCallerToken(seal, { ...owner, principal: 'bob' }, sealed)).toBeUndefined()
  expect(openCallerToken(seal, { ...owner, tenant: 'b' }, sealed)).toBeUndefined()
  expect(openCallerToken(seal, owner, 'invented')).toBeUndefined()
})

it.each([null, 7, {}, { token: null, expires: 1 }, { token: 'x' }, { token: 'x', expires: '1' }])(
  'is not opened when it is no token: %j',
  (value) => {
    const place = JSON.stringify(['caller token', owner.tenant, owner.principal])
    const sealed = Buffer.from(seal.close(place, Buffer.from(JSON.stringify(value)))).toString('base64url')
    expect(openCallerToken(seal, owner, sealed)).toBeUndefined()
  },
)
