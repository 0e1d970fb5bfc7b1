import type { JsonObject } from '@junctor/jsonrpc'

/** Whether another program does not start this server of its file. */
export function isSwitchedOff({ disabled, enabled, isActive }: JsonObject): boolean {
  return disabled === true || enabled === false || isActive === false
}
