import { describe, expect, test } from 'vitest'
import { packageOf } from '../workspace-fixture.ts'
import { judgeIndex } from './index-file.ts'
import { judgeMain } from './main-file.ts'
import { judgeManifest } from './manifest.ts'
import { judgeNames } from './names.ts'
import { judgeDoc } from './doc.ts'
import { judgeReadme } from './readme.ts'
import { judgeSiblings } from './siblings.ts'

const texts = (problems: readonly { what: string }[]): string[] => problems.map(({ what }) => what)

describe('siblings', () => {
  test('a transport has front, back and options, each a file or a folder', () => {
    const files = ['src/front/index.ts', 'src/back.ts', 'src/options.ts']
    expect(judgeSiblings(packageOf('packages/transport-x', 'transport', {}, files))).toEqual([])
    expect(texts(judgeSiblings(packageOf('packages/transport-x', 'transport', {}, files.slice(1))))).toEqual([
      'has no src/front; its siblings are made of front, back, options',
    ])
  })

  test('the transport of the bus has no back', () => {
    const files = ['src/front/index.ts', 'src/options.ts']
    expect(judgeSiblings(packageOf('packages/transport-nats', 'transport', {}, files))).toEqual([])
    expect(judgeSiblings(packageOf('packages/transport-nats', 'transport', {}, files.slice(1)))).toHaveLength(1)
  })

  test('a plugin has index, plugin and config', () => {
    expect(judgeSiblings(packageOf('plugins/x', 'plugin', {}, ['src/index.ts', 'src/plugin.ts']))).toHaveLength(1)
    expect(
      judgeSiblings(packageOf('plugins/x', 'plugin', {}, ['src/index.ts', 'src/plugin.ts', 'src/config.ts'])),
    ).toEqual([])
  })

  test('other packages have no family', () => {
    expect(judgeSiblings(packageOf('packages/x', 'service'))).toEqual([])
  })
})

describe('names', () => {
  test.each([
    'src/requestId.ts',
    'src/Peer.ts',
    'src/request_id.ts',
    'src/wireErrors/catalogue.ts',
    'src/session-manager.ts',
    'src/helpers.ts',
    'src/utils/clock.ts',
    'src/base.ts',
    'src/base-transport.ts',
    'src/peer-impl.test.ts',
  ])('%s is refused', (file) => {
    expect(judgeNames(packageOf('packages/x', 'service', {}, [file]))).toHaveLength(1)
  })

  test.each([
    'src/request-id.ts',
    'src/request-id.test.ts',
    'src/base64.ts',
    'src/database.ts',
    'test/2025-11-25/list.test.ts',
    'test/__fixtures__/echo.ts',
    'README.md',
    'fixtures/toolsList.json',
  ])('%s is fine', (file) => {
    expect(judgeNames(packageOf('packages/x', 'service', {}, [file]))).toEqual([])
  })
})

describe('an index', () => {
  test.each([
    ["export * from './peer.ts'", /export \*/],
    ["export type * from './peer.ts'", /export \*/],
    ['export const peer = 1', /holds code/],
    ["import { peer } from './peer.ts'\npeer()", /holds code/],
  ])('%s is refused', (source, reason) => {
    expect(judgeIndex('index.ts', source).join()).toMatch(reason)
  })

  test('lists names', () => {
    const source = "export { a, type B } from './a.ts'\nexport type { C } from './c.ts'\nexport * as d from './d.ts'"
    expect(judgeIndex('index.ts', source)).toEqual([])
  })
})

describe('a README', () => {
  const files = ['README.md', 'src/front/post.ts', 'src/front/get.ts', 'src/render-v3.ts', 'test/rules.test.ts']

  test.each(['src/front/post.ts', 'src/front/post', 'src/front/', 'src/front/{post,get}.ts', 'src/render-*.ts'])(
    'may name %s',
    (name) => {
      expect(judgeReadme(files, `| the form | \`${name}\` |`)).toEqual([])
    },
  )

  test.each([
    ['src/door.ts', 'src/door.ts'],
    ['src/front/{post,door}.ts', 'src/front/door.ts'],
    ['src/fro', 'src/fro'],
    ['test/*.json', 'test/*.json'],
  ])('must not name %s, which does not exist', (name, missing) => {
    expect(judgeReadme(files, `| the form | \`${name}\` |`)).toEqual([`names ${missing}, which does not exist`])
  })
})

describe('a manifest', () => {
  const entryPoints = { '.': './src/index.ts', './back': './src/back/index.ts' }
  const built = {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './back': { types: './dist/back/index.d.ts', default: './dist/back/index.js' },
  }
  const judge = (manifest: object, files: string[] = ['README.md']): string[] =>
    texts(judgeManifest(packageOf('packages/x', 'service', { description: 'x', ...manifest }, files)))

  test('is fine with a description, a README and the same entry points in the workspace and as published', () => {
    expect(judge({ exports: entryPoints, publishConfig: { exports: built } })).toEqual([])
  })

  test('may have an entry point that is not compiled, and is published unchanged', () => {
    const schema = { './x.json': './schema/x.json' }
    expect(judge({ exports: schema, publishConfig: { exports: schema } })).toEqual([])
    expect(judge({ exports: schema })).toEqual([expect.stringContaining('must be "./schema/x.json"')])
  })

  test('requires the Node version of the workspace', () => {
    const engines = { node: '>=24' }
    const files = ['README.md']
    const entry = packageOf('packages/x', 'service', { description: 'x', engines }, files)
    expect(judgeManifest(entry, engines)).toEqual([])
    expect(texts(judgeManifest(entry, { node: '>=26' }))).toEqual([
      'must have engines {"node":">=26"}, as the workspace has',
    ])
    const silent = packageOf('packages/x', 'service', { description: 'x' }, files)
    expect(judgeManifest(silent, engines)).toHaveLength(1)
  })

  test('of a private package publishes nothing', () => {
    expect(judge({ private: true, exports: entryPoints })).toEqual([])
  })

  test.each([
    ['an empty description', { description: ' ' }, 'has no description'],
    [
      'an entry point that is not published',
      { exports: entryPoints, publishConfig: { exports: { '.': built['.'] } } },
      '["./back"]',
    ],
    [
      'an entry point that is only published',
      { publishConfig: { exports: { '.': built['.'] } } },
      'exports does not have',
    ],
    [
      'an entry point that is another file',
      { exports: { '.': entryPoints['.'] }, publishConfig: { exports: { '.': built['./back'] } } },
      'must be {"types":"./dist/index.d.ts","default":"./dist/index.js"}',
    ],
  ])('is refused with %s', (_name, manifest, reason) => {
    expect(judge(manifest)).toEqual([expect.stringContaining(reason)])
  })

  test('is refused without a README', () => {
    expect(judge({}, [])).toEqual(['has no README.md'])
  })
})

test('a main.ts has fewer than 60 lines', () => {
  expect(judgeMain('a\n'.repeat(59))).toEqual([])
  expect(judgeMain('a\n'.repeat(60))).toEqual(['has 60 lines; a main.ts has fewer than 60'])
})

describe('a page of docs', () => {
  const files = [
    'packages/gateway/src/router/router.ts',
    'packages/exchange/src/render-v3.ts',
    'plugins/mcp/src/ask.ts',
  ]

  test.each([
    'gateway/src/router/router.ts',
    'router/router.ts',
    'exchange/src/render-*.ts',
    'gateway/router/{router}.ts',
    'mcp/src/ask.ts',
  ])('may name %s, which exists', (name) => expect(judgeDoc(files, `| \`${name}\` |`)).toEqual([]))

  test.each(['gateway/src/router/routes.ts', 'front/router.ts'])('must not name %s', (name) =>
    expect(judgeDoc(files, `| \`${name}\` |`)).toEqual([`names ${name}, which does not exist`]),
  )
})
