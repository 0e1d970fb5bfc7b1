import type { BackendConfig, Config } from '../config.ts'

/** Below such a name every text is a secret. */
const secretName = /token|secret|seal|pass|key|credential|bearer|auth|cookie|signature|dsn/i

/** Below such a name a text may be one, and may be a word, a path or a type. */
const mixedName = /^(?:env|headers)$/i

/** `--api-key`, `-H`: what comes next is a secret. `--token=…`: what follows is. */
const secretFlag = /^--?[\w-]*(?:token|secret|pass|key|credential|bearer|auth|cookie)[\w-]*$/i
const secretAssignment = /^-{0,2}[\w-]*(?:token|secret|pass|key|credential|bearer|auth|cookie)[\w-]*[=:]\s*(.+)$/is

/**
 * Everything in a configuration that nobody may see again, wherever it is said back: what references became, and what
 * stands under a telling name. `check`, the log, the start-up report, status, events and audit are cleared of it.
 */
export function configuredSecrets({ listen, fabric, secrets, backends }: Config): readonly string[] {
  const { admin } = listen
  const own = { token: admin?.token, fabric: fabric === 'memory' ? undefined : fabric.nats, secrets }
  return [...textsIn(own, false), ...backends.flatMap(backendSecrets)]
}

/** Those of one backend. */
function backendSecrets({ options, referred }: Pick<BackendConfig, 'options' | 'referred'>): readonly string[] {
  return [...referred, ...textsIn(options, false)]
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

/** A header's value is often a word and the secret itself. */
function credentialsIn(value: string): readonly string[] {
  const [, credential] = /^\s*\S+\s+(\S+)\s*$/.exec(value) ?? []
  return credential === undefined ? [value] : [value, credential]
}

function assignedIn(value: string): readonly string[] {
  const [, assigned] = secretAssignment.exec(value) ?? []
  return assigned === undefined ? [] : credentialsIn(assigned)
}

function isFlag(before: unknown): boolean {
  return typeof before === 'string' && secretFlag.test(before)
}

/** No word, path, address, version or type, and long enough that nobody says it by chance. */
function looksMadeUp(value: string): boolean {
  const isOrdinary = /^(?:[a-z]*|[./~].*|https?:\/\/[^@?]*|[\d.-]*|[\w.+-]+\/[\w.+*-]+(?:[;,].*)?)$/i.test(value)
  return value.length >= 8 && !isOrdinary
}
