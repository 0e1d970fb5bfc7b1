import type { JsonObject } from '@junctor/jsonrpc'
import { stringify } from 'yaml'

const head = `# The configuration of Junctor.
#
#   junctor check           says whether it is right
#   junctor check --show    shows all that is in effect, defaults too
#   junctor serve           serves it
#
# In any text, \${env:NAME} stands for an environment variable and \${file:path} for what a file holds: secrets need not
# stand here. docs/configuration.md explains every word.
`

/** A configuration file in YAML, with an explanation at its head. */
export function printConfig(config: JsonObject): string {
  return `${head}\n${stringify(config, { lineWidth: 0, aliasDuplicateObjects: false })}`
}
