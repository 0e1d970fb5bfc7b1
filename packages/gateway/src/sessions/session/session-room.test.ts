import { expect, test } from 'vitest'
import { hasSessionRoom, type RoomParts } from './session-room.ts'

const who = (subject: string, issuer = 'keys') => ({ issuer, subject, key: `${issuer} ${subject}` })

function parts(
  open: readonly (readonly [tenant: string, subject: string, issuer?: string])[],
  more: Partial<RoomParts> = {},
): RoomParts {
  const homes = open.map(([tenant, subject, issuer]) => ({ context: { tenant, principal: who(subject, issuer) } }))
  const table = { size: homes.length, homes: () => homes as never }
  return { table, hasTenants: true, limits: { sessions: 4 }, ...more }
}

test('one principal gets at most three quarters, over all its tenants; another principal still gets in', () => {
  const held = parts([
    ['a', 'ada'],
    ['a', 'ada'],
    ['b', 'ada'],
  ])
  expect(hasSessionRoom(held, 'b', who('ada'))).toBe(false)
  expect(hasSessionRoom(held, 'b', who('bob'))).toBe(true)
  expect(
    hasSessionRoom(
      parts([
        ['a', 'ada'],
        ['b', 'ada'],
      ]),
      'a',
      who('ada'),
    ),
  ).toBe(true)
})

test('one tenant gets at most three quarters, unless it is the only one', () => {
  const held = parts([
    ['a', 'ada'],
    ['a', 'bob'],
    ['a', 'eve'],
  ])
  expect(hasSessionRoom(held, 'a', who('new'))).toBe(false)
  expect(hasSessionRoom(held, 'b', who('new'))).toBe(true)
  // The endpoint of one of its backends gives it no more.
  expect(hasSessionRoom(held, 'a/-/files', who('new'))).toBe(false)
  expect(hasSessionRoom(held, 'b/-/files', who('new'))).toBe(true)
  expect(hasSessionRoom({ ...held, hasTenants: false }, 'a', who('new'))).toBe(true)
})

test('the node limit applies to all, and configured limits replace the defaults', () => {
  const full = parts([
    ['a', 'ada'],
    ['b', 'bob'],
    ['a', 'eve'],
    ['b', 'dan'],
  ])
  expect(hasSessionRoom(full, 'a', who('new'))).toBe(false)
  const one = parts([['a', 'ada']], { limits: { sessions: 4, sessionsOfPrincipal: 1 } })
  expect(hasSessionRoom(one, 'a', who('ada'))).toBe(false)
  expect(hasSessionRoom(one, 'a', who('bob'))).toBe(true)
})

test('callers without credentials are many clients of one principal', () => {
  const held = parts(
    [
      ['a', 'local', 'local'],
      ['a', 'local', 'local'],
      ['a', 'local', 'local'],
    ],
    { hasTenants: false },
  )
  expect(hasSessionRoom(held, 'a', who('local', 'local'))).toBe(true)
})
