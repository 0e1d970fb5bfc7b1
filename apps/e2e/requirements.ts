import { accessRequirements } from './requirements/access.ts'
import { attackRequirements } from './requirements/attacks.ts'
import { busRequirements } from './requirements/bus.ts'
import { componentRequirements } from './requirements/components.ts'
import { eraRequirements } from './requirements/eras.ts'
import { extensionRequirements } from './requirements/extensions.ts'
import { jsonRpc3Requirements } from './requirements/json-rpc-3.ts'
import { limitRequirements } from './requirements/limits.ts'
import { credentialRequirements } from './requirements/credentials.ts'
import { loginServerRequirements } from './requirements/login-server.ts'
import { managementRequirements } from './requirements/management.ts'
import { openApiRequirements } from './requirements/openapi.ts'
import { reliabilityRequirements } from './requirements/reliability.ts'
import { saasRequirements } from './requirements/saas.ts'
import { specificationRequirements } from './requirements/specification.ts'
import { systemRequirements } from './requirements/systems.ts'
import { wasmRequirements } from './requirements/wasm.ts'

/**
 * What Junctor promises, by id: `MCP-` and a number for what the specification's five revisions ask of a gateway,
 * `ACCESS-` for who is let in by its token, `BUS-` for clients on NATS, `A-` for the stdio gateway (the JSON-RPC API reference), `B-` for the
 * gateway of many tenants (the API reference), `C-` for JSON-RPC 3.0, `D-` for messages without an id (the notification
 * compliance document), `E-` for the gateway of tool components (the MCP API reference),
 * `OPENAPI-` for HTTP APIs with an OpenAPI document, `WASM-` for modules of WebAssembly, `ERA-` for 2026-07-28 beside the older revisions, `APP-`, `SKILL-`, `TASK-` and `EXT-` for the extensions of MCP, `ADMIN-` for
 * operators, `LIM-` for the limits that they set, `REL-` for calls that are lost on their way, `LOGIN-` for the login server, `ATTACK-` for attacks that no other group has. A gate (`test/requirements.test.ts`) fails when a requirement has no test, or a test names
 * none.
 */
export const requirements: typeof specificationRequirements &
  typeof accessRequirements &
  typeof attackRequirements &
  typeof busRequirements &
  typeof systemRequirements &
  typeof saasRequirements &
  typeof jsonRpc3Requirements &
  typeof componentRequirements &
  typeof openApiRequirements &
  typeof wasmRequirements &
  typeof managementRequirements &
  typeof limitRequirements &
  typeof reliabilityRequirements &
  typeof credentialRequirements &
  typeof loginServerRequirements &
  typeof eraRequirements &
  typeof extensionRequirements = {
  ...specificationRequirements,
  ...accessRequirements,
  ...attackRequirements,
  ...busRequirements,
  ...systemRequirements,
  ...saasRequirements,
  ...jsonRpc3Requirements,
  ...componentRequirements,
  ...openApiRequirements,
  ...wasmRequirements,
  ...managementRequirements,
  ...limitRequirements,
  ...reliabilityRequirements,
  ...credentialRequirements,
  ...loginServerRequirements,
  ...eraRequirements,
  ...extensionRequirements,
}

export type RequirementId = keyof typeof requirements
