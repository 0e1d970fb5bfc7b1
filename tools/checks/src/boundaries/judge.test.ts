import { describe, expect, test } from 'vitest'
import { packageOf } from '../workspace-fixture.ts'
import { judgeImport, judgeLayerTag, splitSpecifier, type ImportContext } from './judge.ts'

const jsonrpc = packageOf('packages/jsonrpc', 'jsonrpc', { exports: { '.': './src/index.ts' } })
const http = packageOf('packages/transport-http', 'transport', {
  exports: { './front': './src/front/index.ts', './back': './src/back/index.ts' },
})
const testkit = packageOf('packages/testkit', 'tool', { exports: { '.': './src/index.ts' } })
const gateway = packageOf('packages/gateway', 'gateway', {
  exports: { '.': './src/index.ts' },
  dependencies: { '@junctor/jsonrpc': 'workspace:*', '@junctor/transport-http': 'workspace:*', zod: 'catalog:' },
  devDependencies: { '@junctor/testkit': 'workspace:*', 'fast-check': 'catalog:' },
})
const plugin = packageOf('plugins/mcp', 'plugin', { dependencies: { '@junctor/transport-http': 'workspace:*' } })

const context: ImportContext = {
  packages: new Map([jsonrpc, http, testkit, gateway, plugin].map((entry) => [entry.name, entry])),
  rootDevDependencies: new Set(['vitest']),
}

describe('an import that is refused', () => {
  test.each([
    [
      'a layer that is not allowed',
      gateway,
      'src/a.ts',
      '@junctor/transport-http/back',
      /layer transport, but gateway/,
    ],
    ['the front of a transport, in a plugin', plugin, 'src/a.ts', '@junctor/transport-http/front', /layer transport/],
    ['an undeclared package of the workspace', plugin, 'src/a.ts', '@junctor/jsonrpc', /does not declare/],
    [
      'an undeclared third-party package',
      gateway,
      'src/a.ts',
      'ajv/dist/2020',
      /imports ajv, which .* does not declare/,
    ],
    ['a test dependency, outside of tests', gateway, 'src/a.ts', 'fast-check', /under dependencies/],
    ['the test kit, outside of tests', gateway, 'src/a.ts', '@junctor/testkit', /under dependencies/],
    ['the test runner, outside of tests', gateway, 'src/a.ts', 'vitest', /under dependencies/],
    ['an undeclared package, in a test', gateway, 'src/a.test.ts', 'ajv', /does not declare$/],
    [
      'a file that is no entry point',
      gateway,
      'src/a.ts',
      '@junctor/jsonrpc/src/id.ts',
      /no entry point ".\/src\/id.ts"; it has \./,
    ],
    ['a file that is no entry point, in a test', gateway, 'test/a.ts', '@junctor/jsonrpc/src/id.ts', /no entry point/],
    [
      'an entry point that a package does not have',
      gateway,
      'src/a.ts',
      '@junctor/transport-http',
      /it has .\/front, .\/back/,
    ],
    [
      'a relative path into another package',
      gateway,
      'src/a.ts',
      '../../jsonrpc/src/id.ts',
      /leaves packages\/gateway/,
    ],
    ['a relative path out of all packages', gateway, 'src/a/b.ts', '../../../../x.ts', /leaves packages\/gateway/],
    ['Node in a pure layer', jsonrpc, 'src/a.ts', 'node:fs', /layer jsonrpc is pure/],
    ['Node in a pure layer, by its old name', jsonrpc, 'src/a.ts', 'fs', /layer jsonrpc is pure/],
  ])('%s', (_name, from, file, specifier, reason) => {
    expect(judgeImport(from, file, specifier, context)).toMatch(reason)
  })
})

describe('an import that is allowed', () => {
  test.each([
    ['a declared package below', gateway, 'src/a.ts', '@junctor/jsonrpc'],
    ['a declared third-party package', gateway, 'src/a.ts', 'zod'],
    ['a third-party package, at any of its entry points', gateway, 'src/a.ts', 'zod/v4'],
    ['the back of a transport, in a plugin', plugin, 'src/a.ts', '@junctor/transport-http/back'],
    ['a neighbour', gateway, 'src/a/b.ts', '../c.ts'],
    ['Node, where it may be', gateway, 'src/a.ts', 'node:fs'],
    ['Node in the tests of a pure layer', jsonrpc, 'src/a.test.ts', 'node:fs'],
    ['the test kit, in a test', gateway, 'src/a.test.ts', '@junctor/testkit'],
    ['a test dependency, in what only tests use', gateway, 'test/backends.ts', 'fast-check'],
    ['the test runner, in a test', jsonrpc, 'src/a.test.ts', 'vitest'],
    ['itself, by an entry point', gateway, 'test/a.ts', '@junctor/gateway'],
  ])('%s', (_name, from, file, specifier) => {
    expect(judgeImport(from, file, specifier, context)).toBeUndefined()
  })
})

test.each([
  ['zod', 'zod', '.'],
  ['zod/v4', 'zod', './v4'],
  ['@junctor/node', '@junctor/node', '.'],
  ['@junctor/transport-http/back', '@junctor/transport-http', './back'],
])('%s is split into name and entry point', (specifier, name, entryPoint) => {
  expect(splitSpecifier(specifier)).toEqual({ name, entryPoint })
})

test('a package without a layer, or with an unknown one, is a problem', () => {
  expect(judgeLayerTag({ ...gateway, layer: undefined })).toHaveLength(1)
  expect(judgeLayerTag({ ...gateway, layer: 'attic' })).toHaveLength(1)
  expect(judgeLayerTag(gateway)).toEqual([])
})
