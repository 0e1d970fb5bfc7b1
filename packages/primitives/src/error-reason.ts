/**
 * What went wrong, for a log or a message. Node puts the reason of a failed connection into `code`; for several addresses it
 * throws an AggregateError without a message.
 */
export function errorReason(error: Error): string {
  if (error.message !== '') return error.message
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
