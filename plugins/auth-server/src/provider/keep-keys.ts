import { type KeyStore, loadServerKeys, type ServerKeys } from './server-keys.ts'

/** How often the keys in the storage are compared with those in use, in milliseconds. */
const compareMs = 10_000

/**
 * Keeps the keys of all nodes equal while they run: otherwise a login that begins at one node cannot end at another one.
 * Storage that has lost its data gets the keys back. If a node that has started since was faster, its keys are used.
 *
 * @param changed called with the keys to use in place of the earlier ones
 * @returns a function that ends it
 */
export function keepKeys(store: KeyStore, used: ServerKeys, changed: (keys: ServerKeys) => void): () => void {
  let known = used
  let isAsked = false
  const compare = async (): Promise<void> => {
    if (isAsked) return
    isAsked = true
    try {
      const stored = await loadServerKeys(store, known)
      if (stored.cookies === known.cookies) return
      known = stored
      changed(stored)
    } catch {
      // The storage does not answer. The next comparison asks it again.
    } finally {
      isAsked = false
    }
  }
  const timer = setInterval(() => void compare(), compareMs)
  timer.unref()
  return () => clearInterval(timer)
}
