/** Methods that belong to JSON-RPC 3.0 itself, not to MCP: the one place where these names are written. */
export const rpcMethods = {
  /** Names the extensions that the caller knows; answered with those that both sides know. */
  extensions: 'rpc.extensions',
  /** Ends a request or stream of the caller (section 4.2). */
  cancel: 'request.cancel',
  /** Where a job is: answered with its state, at once. */
  jobStatus: 'job.status',
  /** Collects a job: answered with what its request came to, when it has. */
  jobResult: 'job.result',
  /** Ends a job that is not over. */
  jobCancel: 'job.cancel',
} as const
