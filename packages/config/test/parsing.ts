import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import * as z from 'zod'
import {
  type Config,
  type ConfigurablePlugin,
  loadConfig,
  type LoadedPlugins,
  parseConfig,
  type ParsedConfig,
  type Problem,
} from '../src/index.ts'
import { certificate, certificateKey, otherKey } from './certificate.ts'

/** Plugins of each kind: selected by two words, selected by name, with options of its own. */
const plugins: readonly ConfigurablePlugin[] = [
  {
    name: '@junctor/plugin-mcp',
    key: ['command', 'url'],
    config: z.union([
      z.strictObject({
        command: z.string(),
        args: z.array(z.string()).default([]),
        env: z.record(z.string(), z.string()).default({}),
        cwd: z.string().optional(),
      }),
      z.strictObject({
        url: z.url(),
        headers: z.record(z.string(), z.string()).default({}),
        auth: z.strictObject({ bearer: z.string() }).optional(),
      }),
    ]),
  },
  { name: '@acme/anything', key: 'plugin', config: z.record(z.string(), z.unknown()) },
  { name: '@junctor/plugin-demo', key: 'plugin', config: z.strictObject({}) },
  { name: '@acme/weather', key: 'plugin', config: z.strictObject({ city: z.string().meta({ examples: ['Oslo'] }) }) },
]

/** Plugins that were loaded, or could not be. */
const loaded: LoadedPlugins = new Map([
  [
    './broken.ts',
    { kind: 'failed', got: './broken.ts, which fails', expected: 'a module that loads', next: 'Mend it.' },
  ],
  [
    './tides.ts',
    { kind: 'loaded', plugin: { name: 'tides', key: 'plugin', config: z.strictObject({ url: z.url() }) } },
  ],
])

/** A folder with the files that tests refer to, and functions that read configurations in it. */
export interface Parsing {
  readonly folder: string
  /** @param file the name under which it is read; default: `junctor.yaml` in the folder */
  parse(text: string, file?: string): ParsedConfig
  /** Returns the configuration of a text without problems. */
  valid(text: string, file?: string): Config
  /** Reads a file of the folder. */
  load(name: string): ParsedConfig
  /** Returns each problem of a text as `line:column path | got | expected | next`. */
  problems(text: string): readonly string[]
  remove(): void
}

/** Creates the folder. The test removes it. */
export function createParsing(): Parsing {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-config-'))
  // Both in one file, as some proxies want them.
  writeFileSync(join(folder, 'gateway.crt'), certificate + certificateKey)
  writeFileSync(join(folder, 'only.crt'), certificate)
  writeFileSync(join(folder, 'only.key'), certificateKey)
  writeFileSync(join(folder, 'other.key'), otherKey)
  writeFileSync(join(folder, 'not-pem'), 'hunter2')
  const env = { TOKEN: 'hunter2', PORT: '8080' }
  const parse = (text: string, file = join(folder, 'junctor.yaml')): ParsedConfig =>
    parseConfig(text, { file, plugins, loaded, env })
  return {
    folder,
    parse,
    valid(text, file) {
      const parsed = parse(text, file)
      expect(parsed).toMatchObject({ kind: 'valid' })
      return (parsed as Extract<ParsedConfig, { kind: 'valid' }>).config
    },
    problems(text) {
      return problemsOf(parse(text)).map(problemLine)
    },
    load: (name) => loadConfig(join(folder, name), { plugins, env }),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Returns the problems of a configuration that must be invalid. */
export function problemsOf(parsed: ParsedConfig): readonly Problem[] {
  expect(parsed.kind).toBe('invalid')
  return (parsed as Extract<ParsedConfig, { kind: 'invalid' }>).problems
}

/** A problem as `line:column path | got | expected | next`. */
export function problemLine({ line, column, path, got, expected, next }: Problem): string {
  return [`${line}:${column} ${path}`, got, expected, next].join(' | ')
}
