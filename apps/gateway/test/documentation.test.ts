import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { namedPlugins, parseConfig, showConfig } from '@junctor/config'
import { defaultLimits } from '@junctor/node'
import { demoPlugin } from '@junctor/plugin-demo'
import { expect, test } from 'vitest'
import { plugins } from '../src/plugins.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The pages whose examples are all configurations. */
const pages = ['README.md', 'docs/configuration.md', 'docs/identity-providers.md']

/** The YAML and JSON examples of a page. */
function examplesOf(page: string): readonly { readonly page: string; readonly text: string }[] {
  const source = readFileSync(join(root, page), 'utf8')
  return [...source.matchAll(/^```(?:yaml|json)\n(.*?)^```$/gms)].map(([, text = '']) => ({ page, text }))
}

const examples = pages.flatMap(examplesOf)

/** A value for a variable of the environment: a hash of a password, or a text as long as a secret must be. */
function valueOf(name: string): string {
  return name.endsWith('_HASH') ? `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}` : 'x'.repeat(32)
}

test('each page has examples', () => {
  expect(examples.map(({ page }) => page)).toEqual(expect.arrayContaining(pages))
})

test.each(examples)('an example in $page is a valid configuration: $text', ({ page, text }) => {
  const env = Object.fromEntries([...text.matchAll(/\$\{env:(\w+)\}/g)].map(([, name = '']) => [name, valueOf(name)]))
  // Plugins that an example names by a path are not there: the demo stands for each.
  const named = namedPlugins(text, { file: page, plugins, env })
  const standIns = (words: readonly string[]) =>
    new Map(words.map((word) => [word, { kind: 'loaded', plugin: demoPlugin }] as const))
  const parsed = parseConfig(text, {
    file: page,
    plugins,
    env,
    loaded: standIns(named.inNode),
    isolated: standIns(named.isolated),
  })
  expect(parsed).toMatchObject({ kind: 'valid' })
})

test('the page of all settings has each limit with its default', () => {
  const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
  const table = page.slice(page.indexOf('\n## Limits'), page.indexOf('\n**Streams.**'))
  const documented = table.split('\n').flatMap((row) => {
    const [names = [], values = []] = row
      .split('|', 3)
      .slice(1)
      .map((cell) => cell.match(/\w+(?=`)/g) ?? [])
    return names.filter((name) => name !== 'rates').map((name, place) => [name, values[place]] as const)
  })
  const parsed = parseConfig('backends: {}', { file: 'junctor.yaml', plugins, env: {} })
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  const limits = showConfig(parsed.config, defaultLimits)['limits'] ?? {}
  const shown = Object.entries(limits).map(([name, value]) => [name, String(value)] as const)
  expect(new Map(documented)).toEqual(new Map(shown))
})
