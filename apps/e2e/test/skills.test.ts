import type { JsonObject } from '@junctor/jsonrpc'
import { expect } from 'vitest'
import { answering, demo } from '../src/in-gateway.ts'
import { inStateless, type StatelessScene } from '../src/in-stateless.ts'
import { errorOf, resultOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

const everywhere = { revisions: ['2025-11-25'] } as const
const identifier = 'io.modelcontextprotocol/skills'
const digest = `sha256:${'0123456789abcdef'.repeat(4)}`
const file = (uri: string, size = 10): JsonObject => ({ uri, digest, size })

/** A skill with a nested file. Its entry has members that no gateway knows. */
const skill = (path: string): JsonObject => ({
  uri: `skill://${path}/SKILL.md`,
  frontmatter: { name: path.split('/').at(-1) ?? '', description: 'Does it', license: null, version: 1.5, list: ['a'] },
  resources: [
    file(`skill://${path}/SKILL.md`),
    file(`skill://${path}/scripts/run.py`, 20),
    file(`skill://${path}/a.md`),
  ],
  'x-more': { kept: true },
})

const body = 'See skill://docs/pdf/a.md.\r\n\u00e9e\u0301\n'
const read = (uri: string): JsonObject => ({ contents: [{ uri, mimeType: 'text/markdown', text: body }] })

/** @param paths of the skills that it lists, one on each page */
function skillServer(paths: readonly string[], more: JsonObject = {}): JsonObject {
  const { directoryRead = false, hidden = [], ...results } = more
  const all = [...paths, ...(hidden as string[])]
  return {
    capabilities: { resources: {}, extensions: { [identifier]: directoryRead === true ? { directoryRead } : {} } },
    results: {
      'skills/list': { skills: paths.map(skill), ttlMs: 5_000, cacheScope: 'public' },
      'skills/get': Object.fromEntries(
        all.map((path) => [`skill://${path}/SKILL.md`, { skill: skill(path), ttlMs: 5_000, cacheScope: 'public' }]),
      ),
      'resources/read': Object.fromEntries(
        all.flatMap((path) =>
          ['SKILL.md', 'a.md'].map((name) => [`skill://${path}/${name}`, read(`skill://${path}/${name}`)]),
        ),
      ),
      ...results,
    },
  }
}

const both = [async ({ client }: StatelessScene) => client(), async ({ stateless }: StatelessScene) => stateless()]

/** What a skill becomes behind a prefix: only URIs change, and its backend is named. */
function behind(prefix: string, path: string): JsonObject {
  const shown = JSON.parse(JSON.stringify(skill(path)).replaceAll('skill://', `skill://${prefix}/`)) as JsonObject
  return { ...shown, _meta: { 'junctor/backend': prefix } }
}

verifies('SKILL-1', everywhere, async (cell) => {
  const backends = {
    one: answering(skillServer(['pdf', 'acme/bill'])),
    two: answering({ ...skillServer(['pdf', 'docs/pdf']), stateless: true }),
    broken: answering(skillServer([], { 'skills/list': { skills: 'none' } })),
    demo: demo(),
  }
  await inStateless(cell, backends, async (scene) => {
    for (const open of both) {
      const one = await open(scene)
      const result = resultOf(await one.request('skills/list'))
      expect(result['skills']).toEqual([
        behind('one', 'pdf'),
        behind('one', 'acme/bill'),
        behind('two', 'pdf'),
        behind('two', 'docs/pdf'),
      ])
      const isModern = 'declared' in one
      expect(Object.keys(result).toSorted()).toEqual(
        isModern ? ['_meta', 'cacheScope', 'resultType', 'skills', 'ttlMs'] : ['skills'],
      )
      if (isModern) {
        expect(Number(result['ttlMs'])).toBeLessThanOrEqual(5_000)
        // The broken backend gives no hints.
        expect(result['cacheScope']).toBe('private')
        expect(resultOf(await one.request('server/discover'))).toMatchObject({
          capabilities: { resources: {}, extensions: { [identifier]: { directoryRead: true } } },
        })
      }
      const wrong = errorOf(await one.request('skills/list', { cursor: '1.other' }))
      expect(wrong.code).toBe(-32_602)
    }
  })
  await inStateless(cell, { demo: demo() }, async (scene) => {
    for (const open of both) {
      const one = await open(scene)
      expect(errorOf(await one.request('skills/list')).code).toBe(-32_601)
    }
  })
})

verifies('SKILL-2', everywhere, async (cell) => {
  const backends = {
    one: answering(skillServer(['pdf', 'acme/bill'], { hidden: ['unlisted'] })),
    docs: answering(skillServer(['pdf', 'docs/pdf'])),
  }
  await inStateless(cell, backends, async (scene) => {
    for (const open of both) {
      const one = await open(scene)
      const got = async (uri: string) => resultOf(await one.request('skills/get', { uri }))['skill']
      expect(await got('skill://one/acme/bill/SKILL.md')).toEqual(behind('one', 'acme/bill'))
      // Not listed, and as a skill names another.
      expect(await got('skill://one/unlisted/SKILL.md')).toEqual(behind('one', 'unlisted'))
      expect(await got('skill://unlisted/SKILL.md')).toEqual(behind('one', 'unlisted'))
      expect(await got('skill://acme/bill/SKILL.md')).toEqual(behind('one', 'acme/bill'))
      // A skill's own path may begin with the prefix of its backend.
      expect(await got('skill://docs/docs/pdf/SKILL.md')).toEqual(behind('docs', 'docs/pdf'))
      expect(await got('skill://docs/pdf/SKILL.md')).toEqual(behind('docs', 'pdf'))
      for (const method of ['skills/get', 'resources/read']) {
        const several = errorOf(await one.request(method, { uri: 'skill://pdf/SKILL.md' }))
        expect(several).toMatchObject({
          code: -32_602,
          data: { candidates: ['skill://docs/pdf/SKILL.md', 'skill://one/pdf/SKILL.md'] },
        })
      }
      expect(errorOf(await one.request('skills/get', { uri: 'skill://no/SKILL.md' })).code).toBe(-32_602)
      expect(errorOf(await one.request('skills/get', {})).code).toBe(-32_602)
      // Bytes are unchanged, and contents have the URI that was asked for.
      for (const uri of ['skill://one/acme/bill/a.md', 'skill://acme/bill/a.md', 'skill://docs/docs/pdf/a.md']) {
        const contents = resultOf(await one.request('resources/read', { uri }))['contents']
        expect(contents).toEqual([{ uri, mimeType: 'text/markdown', text: body }])
      }
    }
  })
})

verifies('SKILL-3', everywhere, async (cell) => {
  const listing = { resources: [{ uri: 'skill://pdf/own.md', name: 'own.md' }], nextCursor: 'more' }
  const backends = {
    one: answering(skillServer(['pdf', 'acme/bill'])),
    two: answering(
      skillServer(['pdf'], { directoryRead: true, 'resources/directory/read': { 'skill://pdf': listing } }),
    ),
  }
  await inStateless(cell, backends, async (scene) => {
    for (const open of both) {
      const one = await open(scene)
      const directory = async (uri: string) =>
        resultOf(await one.request('resources/directory/read', { uri }))['resources']
      expect(await directory('skill://one/pdf')).toEqual([
        { uri: 'skill://one/pdf/SKILL.md', name: 'SKILL.md', size: 10 },
        { uri: 'skill://one/pdf/scripts', name: 'scripts', mimeType: 'inode/directory' },
        { uri: 'skill://one/pdf/a.md', name: 'a.md', size: 10 },
      ])
      expect(await directory('skill://one/pdf/scripts')).toEqual([
        { uri: 'skill://one/pdf/scripts/run.py', name: 'run.py', size: 20 },
      ])
      expect(await directory('skill://one')).toEqual([
        { uri: 'skill://one/pdf', name: 'pdf', mimeType: 'inode/directory' },
        { uri: 'skill://one/acme', name: 'acme', mimeType: 'inode/directory' },
      ])
      expect(await directory('skill://acme/bill/scripts')).toMatchObject([
        { uri: 'skill://one/acme/bill/scripts/run.py' },
      ])
      const own = resultOf(await one.request('resources/directory/read', { uri: 'skill://two/pdf' }))
      expect(own).toMatchObject({ resources: [{ uri: 'skill://two/pdf/own.md', name: 'own.md' }], nextCursor: 'more' })
      for (const uri of ['skill://one/pdf/a.md', 'skill://one/nothing', 'skill://two/nothing', 'file:///']) {
        expect([uri, errorOf(await one.request('resources/directory/read', { uri })).code]).toEqual([uri, -32_602])
      }
    }
  })
})
