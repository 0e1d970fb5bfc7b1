/** Methods of JSON-RPC 3.0 itself, not of MCP. Other code uses these constants and does not repeat the names. */
export const rpcMethods = {
  /** Names the extensions that the caller supports. The answer names those that both sides support. */
  extensions: 'rpc.extensions',
  /** Ends a request or stream of the caller (section 4.2). */
  cancel: 'request.cancel',
  /** Returns the state of a job immediately. */
  jobStatus: 'job.status',
  /** Collects a job: returns the outcome of its request when it is available. */
  jobResult: 'job.result',
  /** Cancels a job that has not ended. */
  jobCancel: 'job.cancel',
} as const
