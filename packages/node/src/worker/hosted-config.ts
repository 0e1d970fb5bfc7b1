import { JunctorError } from '@junctor/protocol'
import type { NodeConfig } from '../node-config.ts'

/**
 * Returns the configuration with only the backends that a worker holds: all that run on workers, or the named ones.
 *
 * @throws JunctorError `CONFIG_INVALID` when there is none, or when a named backend does not run on workers
 */
export function hostedConfig(config: NodeConfig, names: readonly string[] | undefined): NodeConfig {
  const hosted = config.backends.filter(({ runsOn }) => runsOn === 'workers')
  const stranger = names?.find((name) => !hosted.some((backend) => backend.name === name))
  if (stranger !== undefined) {
    const known = config.backends.some(({ name }) => name === stranger)
    const got = known ? `"${stranger}", which runs on gateways` : `"${stranger}", which is not in the configuration`
    throw new JunctorError('CONFIG_INVALID', `Expected a backend with runsOn: workers, got ${got}`)
  }
  const backends = hosted.filter(({ name }) => names?.includes(name) ?? true)
  if (backends.length === 0) {
    throw new JunctorError(
      'CONFIG_INVALID',
      'Expected a backend with runsOn: workers, got none: a worker holds nothing',
    )
  }
  return { ...config, backends }
}
