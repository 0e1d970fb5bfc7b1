/** How clients reach the gateway while a fault happens. */
export type Way = 'http' | 'stdio'

/** A fault that the gateway must survive, and its promised outcome. */
export interface Scenario {
  /** The id in the fault list: `F-1`. Several scenarios may share one. */
  readonly id: string
  /** The fault, in a few words. */
  readonly title: string
  /** The transports between client and gateway on which it runs. */
  readonly ways: readonly Way[]
  /** Set when it takes many seconds, or much of the machine: it is not part of the test suite. */
  readonly heavy?: true
  /** Returns what this machine lacks for it; then it does not run. Absent: it needs nothing but the tests' programs. */
  lack?(): Promise<string | undefined>
  /**
   * Causes the fault, in its own processes, which are gone when the promise settles. Resolves with the observations,
   * with figures; rejects when the outcome is not the promised one.
   *
   * @param onProgress called with the current step, as progress for the user
   */
  run(way: Way, onProgress: (progress: string) => void): Promise<string>
}
