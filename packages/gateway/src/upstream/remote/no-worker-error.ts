import { JunctorError } from '@junctor/protocol'

/** The error for a backend that no connected worker holds. */
export function noWorkerError(backend: string): JunctorError {
  return new JunctorError(
    'BACKEND_UNREACHABLE',
    `no worker that holds ${backend} is connected: start a junctor-worker with this backend in its file`,
  )
}
