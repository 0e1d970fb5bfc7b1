import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askerOf, clientSubjects, isOwn, openingsOf } from './client-subjects.ts'

describe('the subjects of a client', () => {
  test('lie under its root, whatever it is called', () => {
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

  test('tell who asks', () => {
    fc.assert(
      fc.property(name, name, (tenant, client) => {
        const subjects = clientSubjects('prod', tenant, client)
        const asker = askerOf(subjects.open)
        expect(asker?.tenant).toBe(tenant)
        expect(asker?.subjects.root).toBe(subjects.root)
      }),
    )
  })

  test('are those of one client each', () => {
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

test('nobody asks from a subject that could be more than one, or another’s', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (tenant, client) => {
      const asker = askerOf(`mcp.v1.c.${tenant}.${client}.open`)
      if (asker === undefined) return
      expect(asker.subjects.root).toMatch(/^mcp\.v1\.c\.[\w=-]+\.[\w=-]+$/)
      // One name, one subject.
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
  'no answer goes to the root with %j behind it',
  (behind) => {
    const subjects = clientSubjects('c', 'default', 'me')
    expect(isOwn(subjects, subjects.root + behind)).toBe(false)
  },
)

/** Well-formed text: a lone surrogate has no name of its own. */
const name = fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => text.isWellFormed())
