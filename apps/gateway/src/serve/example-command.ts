import type { Config } from '@junctor/config'

/** The version that the example was tested with. */
const inspector = '@modelcontextprotocol/inspector@2.12.0'

/** The gateway that the command is for. `url` is its endpoint for clients. */
export interface ExampleSubject {
  readonly url: string
  readonly config: Pick<Config, 'auth'>
  /** The demo has a tool with a known name. */
  readonly isDemo: boolean
}

/** A command for another terminal that calls the gateway. */
export function exampleCommand({ url, config, isDemo }: ExampleSubject): string {
  const variable = credentialOf(config)
  const header = variable === undefined ? [] : [`--header "Authorization: Bearer $${variable}"`]
  const method = isDemo
    ? '--method tools/call --tool-name demo__add --tool-arg a=2 --tool-arg b=3'
    : '--method tools/list'
  return ['npx -y', inspector, '--cli', url, '--transport http', ...header, method].join(' ')
}

/** The variable of a shell that stands for what the gateway expects of a caller. `undefined`: it expects nothing. */
function credentialOf({ auth }: ExampleSubject['config']): 'API_KEY' | 'TOKEN' | undefined {
  if (auth.apiKeys.length > 0) return 'API_KEY'
  return auth.issuer === undefined && auth.server === undefined ? undefined : 'TOKEN'
}
