/**
 * Waits for a promise. Rejects with the reason of the signal when the signal aborts.
 *
 * @param aborted called when the signal aborts meanwhile
 */
export async function orAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
  aborted?: () => void,
): Promise<Value> {
  signal.throwIfAborted()
  const { promise: abortion, reject } = Promise.withResolvers<never>()
  const abort = (): void => {
    aborted?.()
    reject(signal.reason as Error)
  }
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([promise, abortion])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
