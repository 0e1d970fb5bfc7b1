import type { WireError } from '../message/wire-error.ts'

const title = 'Send Failure'

/** The errors of requests that could not be sent (JSON-RPC 3.0 section 7.2, "-32040 + N"). */
export const sendFailures: {
  /** No part of it was sent. */
  readonly notSent: WireError
  /** Sending was interrupted: how much has arrived is unknown. */
  readonly interrupted: WireError
} = {
  notSent: { code: -32_040, title, message: 'The request could not be sent' },
  interrupted: { code: -32_041, title, message: 'The request may not have been sent as a whole' },
}
