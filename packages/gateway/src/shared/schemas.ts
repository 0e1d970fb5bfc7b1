import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { isRevision, type Revision } from '@junctor/protocol'
import { z } from 'zod'

/** Any JSON object. The values that are read have been parsed from JSON. */
export const jsonObjectSchema: z.ZodType<JsonObject> = z.custom<JsonObject>(isJsonObject, 'expected an object')

/** A revision of MCP that this version serves. */
export const revisionSchema: z.ZodType<Revision> = z.custom<Revision>(isRevision, 'expected a known revision of MCP')
