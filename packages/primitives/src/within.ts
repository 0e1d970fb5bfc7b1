/**
 * Whether the promise settles within `ms` milliseconds. The timer is cleared when the promise settles. Rejects when the
 * promise rejects.
 */
export async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), ms)
  try {
    return await Promise.race([promise.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
