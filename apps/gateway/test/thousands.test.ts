import { parseConfig, renderProblems, showConfig } from '@junctor/config'
import { defaultLimits, idlePatterns, nameCollisions, type NodeConfig, type ParsedNodeConfig } from '@junctor/node'
import { expect, test, vi } from 'vitest'
import { check } from '../src/check/check.ts'
import { plugins } from '../src/plugins.ts'

vi.setConfig({ testTimeout: 120_000 })

type Valid = Extract<ParsedNodeConfig, { kind: 'valid' }>

const parse = (text: string): ParsedNodeConfig => parseConfig(text, { file: 'junctor.yaml', plugins, env: {} })

function configOf(count: number, options: string): string {
  const backends = Array.from({ length: count }, (_, index) => `  b${index}: { ${options} }\n`)
  return `backends:\n${backends.join('')}`
}

/** The processor time of the work in seconds: the same on a busy machine. */
function secondsOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000_000
}

const wellDone = (text: string): void => {
  const { config } = parse(text) as Valid
  showConfig(config, defaultLimits)
  const offers = new Map(
    config.backends.map(({ name }) => [name, { tools: ['x'], prompts: [], resources: [], methods: [] }]),
  )
  expect(nameCollisions(config, offers)).toEqual([])
  expect(idlePatterns(config, offers)).toEqual([])
}
const wrong = (text: string): void => {
  const { problems } = parse(text) as Extract<ParsedNodeConfig, { kind: 'invalid' }>
  renderProblems(problems, { color: false })
}

test.each([
  ['right', 'command: node, args: [x.js], env: { A: "1" }', wellDone],
  ['wrong', 'command: node, timeout: soon', wrong],
  ['unknown words', 'command: node, tiemout: 1s', wrong],
])('two thousand backends that are %s take seconds', (_, options, work) => {
  // Less than one on an idle machine. Comparing each backend with each other one would take dozens.
  expect(secondsOf(() => work(configOf(2000, options)))).toBeLessThan(6)
})

test('checking one backend takes the same work among many backends as among few', async () => {
  const readsAmong = async (count: number): Promise<number> => {
    const parsed = parse(configOf(count, 'url: "http://127.0.0.1:9/mcp"')) as Valid
    let reads = 0
    const counted = (backend: NodeConfig['backends'][number]): NodeConfig['backends'][number] => ({
      ...backend,
      get options() {
        reads += 1
        return backend.options
      },
    })
    const config = { ...parsed.config, backends: parsed.config.backends.map(counted) }
    const { problems } = await check('junctor.yaml', { ...parsed, config }, 30_000, () => {})
    expect(problems).toHaveLength(count)
    return reads / count
  }
  expect(await readsAmong(40)).toBe(await readsAmong(10))
})
