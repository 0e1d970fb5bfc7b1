import type { WireError } from './wire-error.ts'

const title = 'Send Failure'

/** What a request ends with that could not be sent (JSON-RPC 3.0 section 7.2, "-32040 + N"). */
export const sendFailures: {
  /** Nothing of it was sent. */
  readonly notSent: WireError
  /** It was being sent: how much of it has arrived is unknown. */
  readonly interrupted: WireError
} = {
  notSent: { code: -32_040, title, message: 'The request could not be sent' },
  interrupted: { code: -32_041, title, message: 'The request may not have been sent as a whole' },
}
