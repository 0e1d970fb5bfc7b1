import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import * as z from 'zod'
import {
  type Config,
  type ConfigurablePlugin,
  loadConfig,
  parseConfig,
  type ParsedConfig,
  type Problem,
} from '../src/index.ts'

/** Plugins of each kind: two words, selected by name, with options of its own. */
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

/** A folder with the files that tests refer to, and ways to read configurations in it. */
export interface Parsing {
  readonly folder: string
  /** `file`: as what it is read. Default: `junctor.yaml` in the folder. */
  parse(text: string, file?: string): ParsedConfig
  /** The configuration of a text that has no problem. */
  valid(text: string, file?: string): Config
  /** Reads a file of the folder. */
  load(name: string): ParsedConfig
  /** Each problem of a text as `line:column path | got | expected | next`. */
  problems(text: string): readonly string[]
  remove(): void
}

export function createParsing(): Parsing {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-config-'))
  writeFileSync(join(folder, 'gateway.crt'), '-----BEGIN CERTIFICATE-----\n…')
  writeFileSync(join(folder, 'not-pem'), 'hunter2')
  const env = { TOKEN: 'hunter2', PORT: '8080' }
  const parse = (text: string, file = join(folder, 'junctor.yaml')): ParsedConfig =>
    parseConfig(text, { file, plugins, env })
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

/** What is wrong with a configuration that must be wrong. */
export function problemsOf(parsed: ParsedConfig): readonly Problem[] {
  expect(parsed.kind).toBe('invalid')
  return (parsed as Extract<ParsedConfig, { kind: 'invalid' }>).problems
}

export function problemLine({ line, column, path, got, expected, next }: Problem): string {
  return [`${line}:${column} ${path}`, got, expected, next].join(' | ')
}
