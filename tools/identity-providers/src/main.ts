import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { experimentalFeatures, keycloakVersion } from './keycloak/version.ts'
import { runKeycloak } from './run-keycloak.ts'

const help = `Usage: pnpm identity-providers [--features ${experimentalFeatures.join(',')}]

Keycloak ${keycloakVersion} on this machine, official clients of both versions of the SDK that log in on its pages, programs
with service accounts, and gateways that take its tokens. It needs Java 17, Maven and tar; Keycloak comes from Maven
Central once, and stays in .cache/identity-providers. Nothing listens outside of 127.0.0.1, and all ends with the command.

  --features <names>  experimental features of Keycloak to switch on, by comma
  --help              this`

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { features: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const features = values.features?.split(',') ?? []
  const unknown = features.filter((name) => !(experimentalFeatures as readonly string[]).includes(name))
  if (unknown.length > 0) {
    console.error(`Expected names of ${experimentalFeatures.join(', ')} for --features, got ${unknown.join(', ')}.`)
    return 2
  }
  const outcome = await runKeycloak({
    cache: join(import.meta.dirname, '../../../.cache/identity-providers'),
    features,
    onStep: (text) => console.error(text),
    onChecked: ({ name, problem }) =>
      console.log(problem === undefined ? `${name}: passed` : `${name}: failed: ${problem}`),
  })
  if (outcome.kind === 'unusable') {
    console.error(outcome.why)
    return 2
  }
  const failed = outcome.checks.filter(({ problem }) => problem !== undefined).length
  console.log(`\n${outcome.checks.length - failed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? [error.message, error.cause].filter(Boolean).join(': ') : error)
  process.exitCode = 2
}
