/** One thing that the gateway promises: what the project's specification and its progress are counted in. */
export interface Requirement {
  /** Where it is asked for: the specification's revision and section, or the project's own promise. */
  readonly source: string
  /** What can be seen from outside. */
  readonly behaviour: string
  /** Why it does not hold yet. Its tests run, and have to fail: whoever makes one pass removes this. */
  readonly knownFailure?: string
}
