/**
 * Whether the promise settles within `ms` milliseconds. The timer is cleared when the promise settles. Rejects when the
 * promise rejects.
 *
 * @param ms `Infinity`: there is no limit
 */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  // A timer of Node cannot wait longer than 25 days: it would fire immediately.
  if (ms === Infinity) {
    await promise
    return true
  }
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), ms)
  try {
    return await Promise.race([promise.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
