import { nameInPath } from '@junctor/protocol'

/** The parameters in the path of a request, decoded. */
export interface PathParams {
  readonly tenant?: string | undefined
  /** The backend whose own endpoint it is. */
  readonly backend?: string | undefined
  readonly session?: string | undefined
}

/** What the path of a request names. */
export interface NamedPath {
  /** The tenant, or the endpoint of a backend. Absent: the path names neither. */
  readonly tenant?: string | undefined
  readonly session?: string | undefined
}

/** Reads what a path names from its parameters. */
export function namedPath({ tenant = '', backend, session }: PathParams): NamedPath {
  const isNamed = tenant !== '' || backend !== undefined
  return { tenant: isNamed ? nameInPath(tenant, backend) : undefined, session }
}
