/** A promise of the gateway. The project's specification and progress are counted in requirements. */
export interface Requirement {
  /** Its source: revision and section of the specification, or the project itself. */
  readonly source: string
  /** The behaviour that a client can observe. */
  readonly behaviour: string
  /** Why it does not hold yet. Its tests run and must fail. A change that makes them pass must remove this. */
  readonly knownFailure?: string
}
