import type { Response } from '@junctor/plugin-sdk/link'

/** An error that only servers of 2026-07-28 or later send: a version that is not supported. */
const unsupportedVersion = -32_022

/** Whether a server refuses the version of a request, and so has not run it. */
export function isVersionRefused(response: Response): boolean {
  return response.kind === 'error' && response.error.code === unsupportedVersion
}
