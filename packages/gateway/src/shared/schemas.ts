import type { JsonObject } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import type { Revision } from '@junctor/protocol'
import { isRevision } from '@junctor/protocol'
import { z } from 'zod'

/** Any JSON object. The values that are read have been parsed from JSON. */
export const jsonObjectSchema: z.ZodType<JsonObject> = z.custom<JsonObject>(isJsonObject, 'expected an object')

/** A revision of MCP that this version serves. */
export const revisionSchema: z.ZodType<Revision> = z.custom<Revision>(isRevision, 'expected a known revision of MCP')
