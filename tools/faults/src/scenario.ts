/** How clients reach the gateway while a fault happens. */
export type Way = 'http' | 'stdio'

/** A fault that the gateway has to survive, and the outcome that is promised for it. */
export interface Scenario {
  /** As the fault list has it: `F-1`. Several scenarios may share one. */
  readonly id: string
  /** What goes wrong, in a few words. */
  readonly title: string
  /** The transports between client and gateway that it is tried on. */
  readonly ways: readonly Way[]
  /** It takes many seconds, or much of the machine: it is not part of the test suite. */
  readonly heavy?: true
  /**
   * Lets it happen, in processes of its own which are gone when this settles. Resolves with what was seen, with figures;
   * rejects when the outcome is not the one promised.
   *
   * @param tell says what is being done, for whoever waits
   */
  run(way: Way, tell: (progress: string) => void): Promise<string>
}
