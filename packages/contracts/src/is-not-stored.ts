import { JunctorError } from '@junctor/protocol'

/** Whether an error of a fabric says that nothing is stored. After any other, it is unknown whether something is. */
export function isNotStored(error: unknown): boolean {
  return error instanceof JunctorError && error.code === 'FABRIC_REFUSED'
}
