import type { BackendConfig, Config } from '../config.ts'
import { looksMadeUp } from '../secrets/looks-made-up.ts'
import { secretName, secretWords } from '../secrets/secret-name.ts'
import { urlSecrets } from '../secrets/url-secrets.ts'

/** Names below which a text may be a secret, or an ordinary word, path or type. */
const mixedName = /^(?:env|headers)$/i

/** `--api-key`: the next argument is a secret. */
const secretFlag = new RegExp(`^--?[\\w-]*(?:${secretWords})[\\w-]*$`, 'i')

/** `--token=…`, `API_KEY=…`, `Authorization: …`: the rest of the argument is a secret. */
const secretAssignment = new RegExp(`^-{0,2}[\\w-]*(?:${secretWords})[\\w-]*[=:]\\s*(.+)$`, 'is')

/**
 * Returns all texts of a configuration that must not be shown, wherever they are repeated: the values of references,
 * and values under names of secrets. They are removed from `check`, the log, the start-up report, status, events and
 * audit.
 */
export function configuredSecrets({ listen, fabric, secrets, backends, auth }: Config): readonly string[] {
  const { admin } = listen
  const own = {
    token: admin?.token,
    fabric: fabric === 'memory' ? undefined : fabric.nats,
    secrets,
    secret: auth.issuer?.introspection?.clientSecret,
  }
  return [...textsIn(own, false), ...backends.flatMap(backendSecrets)]
}

/** Returns the secrets of one backend. */
function backendSecrets({ options, secrets }: Pick<BackendConfig, 'options' | 'secrets'>): readonly string[] {
  return [...secrets, ...textsIn(options, false)]
}

function textsIn(value: unknown, isSecret: boolean): readonly string[] {
  if (typeof value === 'string') return isSecret ? credentialsIn(value) : assignedIn(value)
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => textsIn(item, isSecret || isFlag(value[index - 1])))
  }
  return Object.entries(value).flatMap(([name, member]) => {
    if (mixedName.test(name)) return mixedTexts(member)
    return textsIn(member, isSecret || secretName.test(name))
  })
}

function mixedTexts(members: unknown): readonly string[] {
  if (typeof members !== 'object' || members === null) return []
  return Object.entries(members).flatMap(([name, member]) =>
    textsIn(member, secretName.test(name) || (typeof member === 'string' && looksMadeUp(member))),
  )
}

/** A header value often consists of a word and the secret. */
function credentialsIn(value: string): readonly string[] {
  const [, credential] = /^\s*\S+\s+(\S+)\s*$/.exec(value) ?? []
  return credential === undefined ? [value] : [value, credential]
}

function assignedIn(value: string): readonly string[] {
  const inUrl = urlSecrets(value)
  if (inUrl !== undefined) return inUrl
  const [, assigned] = secretAssignment.exec(value) ?? []
  return assigned === undefined ? [] : credentialsIn(assigned)
}

function isFlag(before: unknown): boolean {
  return typeof before === 'string' && secretFlag.test(before)
}
