import type { JWTPayload } from 'jose'
import { expect, test } from 'vitest'
import { judgeLogoutClaims } from './logout-token.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'
const good = { sub: 'carla', jti: 'one', events: { [event]: {} } }

test('a logout names a person', () => {
  expect(judgeLogoutClaims(good)).toEqual({ kind: 'logout', subject: 'carla', jti: 'one' })
  expect(judgeLogoutClaims({ ...good, sid: 'a session' })).toMatchObject({ kind: 'logout', subject: 'carla' })
})

test.each([
  ['no events', { ...good, events: undefined }],
  ['events that are null', { ...good, events: null }],
  ['a list of events', { ...good, events: [event] }],
  ['another event', { ...good, events: { other: {} } }],
  ['an event that is null', { ...good, events: { [event]: null } }],
  ['an event that is a text', { ...good, events: { [event]: 'yes' } }],
  ['a nonce', { ...good, nonce: 'n' }],
  ['a nonce that is null', { ...good, nonce: null }],
  ['a session alone', { ...good, sub: undefined, sid: 'a session' }],
  ['an empty sub', { ...good, sub: '' }],
  ['a sub that is no text', { ...good, sub: 7 as unknown as string }],
  ['no jti', { ...good, jti: undefined }],
])('not with %s', (_what, claims) => {
  expect(judgeLogoutClaims(claims as JWTPayload).kind).toBe('refused')
})
