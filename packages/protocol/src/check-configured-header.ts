import { JunctorError } from './errors/local-error.ts'

/**
 * Checks a header of a configured server.
 *
 * @param isReserved whether the protocol or the connection sets a header with this name, in lower case
 * @throws JunctorError `CONFIG_INVALID` for a header that cannot be sent
 */
export function checkConfiguredHeader(name: string, value: string, isReserved: (name: string) => boolean): void {
  if (isReserved(name.toLowerCase())) {
    throw new JunctorError('CONFIG_INVALID', `The header ${name} is set by the protocol and cannot be configured`)
  }
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || /[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) {
    throw new JunctorError(
      'CONFIG_INVALID',
      `The header ${JSON.stringify(name)} has characters that HTTP does not allow`,
    )
  }
}
