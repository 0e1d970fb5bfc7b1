/** Waits this many milliseconds. Does not keep the process alive. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}
