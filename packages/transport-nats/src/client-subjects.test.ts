import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askerOf, clientSubjects, isOwn, openingsOf } from './client-subjects.ts'

describe('the subjects of a client', () => {
  test('begin with its root, for every name', () => {
    const subjects = clientSubjects('prod', 'acme', 'a.b *')
    const { root } = subjects
    expect(root).toBe('mcp.v1.prod.acme.a=2Eb=20=2A')
    expect([subjects.open, subjects.in('x'), subjects.out('x')]).toEqual([
      `${root}.open`,
      `${root}.in.x`,
      `${root}.out.x`,
    ])
    expect(openingsOf('prod')).toBe('mcp.v1.prod.*.*.open')
  })

  test('contain the names of the client', () => {
    fc.assert(
      fc.property(name, name, (tenant, client) => {
        const subjects = clientSubjects('prod', tenant, client)
        const asker = askerOf(subjects.open)
        expect(asker?.tenant).toBe(tenant)
        expect(asker?.subjects.root).toBe(subjects.root)
      }),
    )
  })

  test('differ for every two clients', () => {
    fc.assert(
      fc.property(name, name, name, name, (tenant, client, otherTenant, otherClient) => {
        fc.pre(tenant !== otherTenant || client !== otherClient)
        const [one, other] = [clientSubjects('c', tenant, client), clientSubjects('c', otherTenant, otherClient)]
        expect(isOwn(one, other.out('x'))).toBe(false)
        expect(isOwn(one, one.out('x'))).toBe(true)
      }),
    )
  })
})

test('a subject with a wildcard, or of another form, is refused', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (tenant, client) => {
      const asker = askerOf(`mcp.v1.c.${tenant}.${client}.open`)
      if (asker === undefined) return
      expect(asker.subjects.root).toMatch(/^mcp\.v1\.c\.[\w=-]+\.[\w=-]+$/)
      // Every name has one form in a subject.
      expect(clientSubjects('c', asker.tenant, 'x').root).toBe(`mcp.v1.c.${tenant}.x`)
    }),
    {
      examples: ['*', '>', 'a=', 'a=2', 'a=2e', 'a=ZZ', '=41', 'ä', ''].flatMap((bad) => [
        [bad, 'me'],
        ['default', bad],
      ]),
    },
  )
})

test.each(['.', '..', '.a.', '.a..b', '.*', '.>', '.a.*', '.a b', '.a\r\nb', '', 'x', 'x.y'])(
  'no answer is sent to the root followed by %j',
  (behind) => {
    const subjects = clientSubjects('c', 'default', 'me')
    expect(isOwn(subjects, subjects.root + behind)).toBe(false)
  },
)

/** Well-formed text: a lone surrogate has no escaped form. */
const name = fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => text.isWellFormed())
