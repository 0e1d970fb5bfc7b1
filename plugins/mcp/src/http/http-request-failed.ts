import { JunctorError, type LocalCode } from '@junctor/plugin-sdk/link'
import type { HttpFailure } from '@junctor/transport-http/back'

const localCodes: Readonly<Record<HttpFailure['kind'], LocalCode>> = {
  unreachable: 'BACKEND_UNREACHABLE',
  interrupted: 'BACKEND_EXITED',
  session_unknown: 'BACKEND_REFUSED',
  refused: 'BACKEND_REFUSED',
  unusable: 'PROTOCOL_VIOLATED',
  old_stream: 'BACKEND_REFUSED',
}

/** A request over HTTP without a response. */
export class HttpRequestFailed extends JunctorError {
  override readonly name = 'HttpRequestFailed'
  readonly failure: HttpFailure

  /** @param described the failure as text */
  constructor(method: string, failure: HttpFailure, described: string) {
    super(
      localCodes[failure.kind],
      `${method} failed: ${described}`,
      'error' in failure ? { cause: failure.error } : undefined,
    )
    this.failure = failure
  }
}
