import type { View } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import { taskAsked } from '../../router/tasks/task.ts'
import { type EncryptionAsked, encryptionAsked } from './encryption-asked.ts'

/** Why a request is refused whose answer must be encrypted and comes later: it would be stored unencrypted. */
export const encryptedLater = 'Expected no "encrypt" in the options of a request that is answered later'

/** The encryption of an answer that is sent where its request came. A call that asks for a task is answered later. */
export function inlineEncryption(request: Request, { extensions, revision }: View): EncryptionAsked {
  const asked = encryptionAsked(request, extensions)
  if (asked.kind !== 'encrypt' || request.method !== methods.toolsCall) return asked
  const isLater = taskAsked(request.params, revision).kind === 'task'
  return isLater ? { kind: 'invalid', message: encryptedLater } : asked
}
