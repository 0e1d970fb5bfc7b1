import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasOriginal, originalUri, uriFor } from './public-uri.ts'

test.each([
  ['files', 'file:///a b', 'files+file:///a b'],
  ['files', 'file:///{path}/{?q*}', 'files+file:///{path}/{?q*}'],
  ['repo', 'git+ssh://host/x', 'repo+git+ssh://host/x'],
  ['', 'file:///a', 'file:///a'],
  ['', 'ui://clock/view', 'ui://clock/view'],
  ['time', 'ui://clock/view.html?a=1#b', 'ui://time/clock/view.html?a=1#b'],
  ['time', 'ui:///view', 'ui://time//view'],
  ['time', 'ui://', 'ui://time/'],
  ['time', 'ui://time/view', 'ui://time/time/view'],
  ['time', 'UI://clock', 'UI://time/clock'],
  ['time', 'ui://clock/{zone}', 'ui://time/clock/{zone}'],
  ['time', 'ui:clock', 'time+ui:clock'],
  ['docs', 'skill://acme/billing/SKILL.md', 'skill://docs/acme/billing/SKILL.md'],
])('prefix %o and %s give %s, and the original is restored', (prefix, original, offered) => {
  expect(uriFor(prefix, original)).toBe(offered)
  expect(originalUri(prefix, offered)).toBe(original)
  expect([original, `${original}x`].map((one) => hasOriginal(offered, one))).toEqual([true, false])
})

test('a URI of another backend has no original under this prefix', () => {
  expect(originalUri('files', 'file:///a')).toBeUndefined()
  expect(originalUri('file', 'files+file:///a')).toBeUndefined()
  expect(originalUri('files', 'files')).toBeUndefined()
  expect(originalUri('files', 'ui://file/a')).toBeUndefined()
  expect(originalUri('files', 'ui://files')).toBeUndefined()
  expect(originalUri('files', 'ui://filesystem/a')).toBeUndefined()
})

const uris = fc.tuple(fc.constantFrom('', 'ui://', 'UI://', 'skill://'), fc.string()).map((parts) => parts.join(''))

test('every URI is restored', () => {
  fc.assert(
    fc.property(fc.constantFrom('', 'a', 'some-backend'), uris, (prefix, uri) => {
      expect(originalUri(prefix, uriFor(prefix, uri))).toBe(uri)
    }),
  )
})
