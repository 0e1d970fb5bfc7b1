import type { JsonObject } from '@junctor/jsonrpc'
import { printYaml } from '../document/print-yaml.ts'

const head = `# The configuration of Junctor.
#
#   junctor check           checks whether it is valid
#   junctor check --show    shows all effective values, including defaults
#   junctor serve           runs the gateway with it
#
# In any text, \${env:NAME} stands for an environment variable and \${file:path} for the content of a file, so that no secret
# must be written here. docs/configuration.md explains every word.
`

/** Formats a configuration as YAML, with an explanation at its head. */
export function printConfig(config: JsonObject): string {
  return `${head}\n${printYaml(config)}`
}
