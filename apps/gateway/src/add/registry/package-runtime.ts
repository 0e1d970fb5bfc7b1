import type { DocumentPackage } from './server-document.ts'

/** How a package is run. */
export type PackageRuntime =
  | {
      readonly kind: 'runnable'
      /** The program that fetches and runs it. */
      readonly program: string
      /** The words before the arguments of the program. */
      readonly before: readonly string[]
      /** The words after them: the package with its exact version, and what ends the arguments of the program. */
      readonly spec: readonly string[]
    }
  | { readonly kind: 'unusable'; readonly why: string }

type Judge = (described: DocumentPackage) => PackageRuntime

/** The programs that run each kind of package; the first is the default. */
const programs: Readonly<Record<string, { readonly known: readonly string[]; readonly judge: Judge }>> = {
  npm: { known: ['npx'], judge: npm },
  pypi: { known: ['uvx'], judge: pypi },
  oci: { known: ['docker', 'podman'], judge: oci },
  nuget: { known: ['dnx'], judge: nuget },
}

/**
 * Judges a package. Its name and version come from others, so both must have the form of their kind: nothing that a
 * program could read as an option, and no version that stands for several.
 */
export function packageRuntime(described: DocumentPackage): PackageRuntime {
  const { registryType, runtimeHint, transport } = described
  if (registryType === 'mcpb') {
    return unusable(
      'a bundle (mcpb) is not unpacked by Junctor: download it, compare its SHA-256, unpack it, and add its command',
    )
  }
  const kind = Object.hasOwn(programs, registryType) ? programs[registryType] : undefined
  if (kind === undefined) {
    return unusable(
      `packages of ${JSON.stringify(registryType)} are not known: expected ${Object.keys(programs).join(', ')}`,
    )
  }
  if (transport.type !== 'stdio') {
    const where = transport.url === undefined ? '' : ` at ${transport.url}`
    return unusable(
      `it serves ${transport.type}${where}, not standard input and output: start it yourself, and add its URL`,
    )
  }
  if (runtimeHint !== undefined && !kind.known.includes(runtimeHint)) {
    return unusable(`it is to run with ${JSON.stringify(runtimeHint)}: expected ${kind.known.join(' or ')}`)
  }
  return kind.judge(described)
}

function npm({ identifier, version, registryBaseUrl }: DocumentPackage): PackageRuntime {
  if (!/^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/i.test(identifier)) return noName('npm', identifier)
  // `1` and `1.2` would be ranges.
  if (!/^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/.test(version ?? '')) return noVersion(version, '1.2.3')
  const other = otherRegistry(registryBaseUrl, ['https://registry.npmjs.org'])
  if (other === null) return noRegistry(registryBaseUrl)
  const before = other === undefined ? ['-y'] : ['-y', `--registry=${other}`]
  return { kind: 'runnable', program: 'npx', before, spec: [`${identifier}@${version}`] }
}

function pypi({ identifier, version, registryBaseUrl }: DocumentPackage): PackageRuntime {
  if (!/^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(identifier)) return noName('PyPI', identifier)
  if (!/^\d[0-9A-Za-z.!+-]*$/.test(version ?? '')) return noVersion(version, '1.2.3')
  if (otherRegistry(registryBaseUrl, ['https://pypi.org']) !== undefined) return noRegistry(registryBaseUrl)
  return { kind: 'runnable', program: 'uvx', before: [], spec: [`${identifier}@${version}`] }
}

function nuget({ identifier, version, registryBaseUrl }: DocumentPackage): PackageRuntime {
  if (!/^[a-z0-9_][a-z0-9._-]*$/i.test(identifier)) return noName('NuGet', identifier)
  if (!/^\d+(?:\.\d+){1,3}(?:[-+][0-9A-Za-z.+-]+)?$/.test(version ?? '')) return noVersion(version, '1.2.3')
  const own = ['https://api.nuget.org', 'https://api.nuget.org/v3/index.json', 'https://www.nuget.org']
  const other = otherRegistry(registryBaseUrl, own)
  if (other === null) return noRegistry(registryBaseUrl)
  const before = other === undefined ? [] : [`--source=${other}`]
  // The two dashes end the arguments of dnx: the others are the program's.
  return { kind: 'runnable', program: 'dnx', before, spec: [`${identifier}@${version}`, '--yes', '--'] }
}

/** A host, a path in lower case, a tag and a digest. */
const image =
  /^(?:[a-z0-9][a-z0-9.-]*(?::\d+)?\/)?[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*(?::(\w[\w.-]{0,127}))?(?:@sha256:([a-f0-9]{64}))?$/

function oci({ identifier, version, registryBaseUrl, runtimeHint = 'docker' }: DocumentPackage): PackageRuntime {
  const found = identifier.length > 512 ? null : image.exec(identifier)
  if (found === null) return noName('container images', identifier)
  const [, tag = version, digest] = found
  if (digest === undefined && (tag === undefined || tag === 'latest' || !/^\w[\w.-]{0,127}$/.test(tag))) {
    return noVersion(tag, '1.2.3, or a digest')
  }
  const other = otherRegistry(registryBaseUrl, ['https://docker.io', 'https://index.docker.io'])
  if (other === null) return noRegistry(registryBaseUrl)
  const host = other === undefined ? '' : `${new URL(other).host}/`
  const from = identifier.startsWith(host) ? identifier : `${host}${identifier}`
  const spec = found[1] === undefined && digest === undefined ? `${from}:${tag}` : from
  return { kind: 'runnable', program: runtimeHint, before: ['run', '-i', '--rm'], spec: [spec] }
}

/** The URL of a registry that is not the usual one. `null`: it is no URL of a registry. */
function otherRegistry(url: string | undefined, usual: readonly string[]): string | undefined | null {
  if (url === undefined || usual.includes(url.replace(/\/+$/, ''))) return undefined
  if (!URL.canParse(url)) return null
  const { protocol, username, password, href } = new URL(url)
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : null
}

function noName(kind: string, identifier: string): PackageRuntime {
  return unusable(`${JSON.stringify(identifier)} is not a name of ${kind}`)
}

function noVersion(version: string | undefined, example: string): PackageRuntime {
  return unusable(
    `expected one exact version such as ${example}, got ${version === undefined ? 'none' : JSON.stringify(version)}`,
  )
}

function noRegistry(url: string | undefined): PackageRuntime {
  return unusable(`packages cannot be taken from ${JSON.stringify(url)}`)
}

function unusable(why: string): PackageRuntime {
  return { kind: 'unusable', why }
}
