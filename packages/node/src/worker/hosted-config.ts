import type { Config } from '@junctor/config'
import { JunctorError } from '@junctor/protocol'

/**
 * The configuration with only those backends that a worker holds: all that run on workers, or those of them that are
 * named.
 *
 * @throws JunctorError `CONFIG_INVALID` when there are none, or one that is named does not run on workers
 */
export function hostedConfig(config: Config, names: readonly string[] | undefined): Config {
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
