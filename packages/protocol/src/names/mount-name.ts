/** Stands between a tenant and a backend, in names and paths. Names of tenants have no `/`. */
const between = '/-/'

/** A backend of a tenant, with an endpoint of its own. */
export interface MountName {
  readonly tenant: string
  readonly backend: string
}

/**
 * Returns the name of the endpoint that shows one backend of a tenant under the backend's own names: `acme/-/files`. It
 * stands wherever the name of a tenant stands, also in the path `/mcp/acme/-/files`.
 */
export function mountName(tenant: string, backend: string): string {
  return `${tenant}${between}${backend}`
}

/**
 * Returns the name of the endpoint that a path names, from its decoded parts. Each endpoint has one path: a tenant with an
 * escaped `/-/` in it is not the endpoint of a backend, because rules of proxies are for paths.
 */
export function nameInPath(tenant: string, backend: string | undefined): string {
  const own = readMountName(tenant) === undefined ? tenant : encodeURIComponent(tenant)
  return backend === undefined ? own : mountName(own, backend)
}

/** Reads a name that `mountName` has made. Undefined: it is the name of a tenant. */
export function readMountName(name: string): MountName | undefined {
  const at = name.indexOf(between)
  return at < 0 ? undefined : { tenant: name.slice(0, at), backend: name.slice(at + between.length) }
}

/** Returns the tenant of a name: the name itself, or that before the backend. */
export function tenantOfName(name: string): string {
  return readMountName(name)?.tenant ?? name
}
