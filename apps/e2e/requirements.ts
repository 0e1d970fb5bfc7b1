import { accessRequirements } from './requirements/access.ts'
import { attackRequirements } from './requirements/attacks.ts'
import { busRequirements } from './requirements/bus.ts'
import { ftlRequirements } from './requirements/ftl.ts'
import { eraRequirements } from './requirements/eras.ts'
import { extensionRequirements } from './requirements/extensions.ts'
import { jsonRpc3Requirements } from './requirements/json-rpc-3.ts'
import { limitRequirements } from './requirements/limits.ts'
import { credentialRequirements } from './requirements/credentials.ts'
import { loginServerRequirements } from './requirements/login-server.ts'
import { managementRequirements } from './requirements/management.ts'
import { openApiRequirements } from './requirements/openapi.ts'
import { questionRequirements } from './requirements/questions.ts'
import { reliabilityRequirements } from './requirements/reliability.ts'
import { saasRequirements } from './requirements/saas.ts'
import { specificationRequirements } from './requirements/specification.ts'
import { n8nRequirements } from './requirements/n8n.ts'
import { notificationRequirements } from './requirements/notifications.ts'
import { wasmRequirements } from './requirements/wasm.ts'

/**
 * What Junctor promises, by id. A test (`test/requirements.test.ts`) fails when a requirement has no test, or a test names
 * none. The beginning of an id says what the requirement is about:
 *
 * - `MCP-`: what the five revisions of the specification ask of a gateway; `ERA-`: 2026-07-28 beside older revisions;
 *   `APP-`, `SKILL-`, `TASK-`, `EXT-`: the extensions of MCP;
 * - `A-`: the profile `n8n`; `B-`: the profile `saas`; `C-`: JSON-RPC 3.0; `D-`: messages without an id; `E-`: the
 *   profile `ftl`. They follow the sections of a source document;
 * - `OPENAPI-`, `WASM-`: backends of these kinds; `BUS-`: clients on NATS;
 * - `ACCESS-`: who is let in; `LOGIN-`: the login server; `CRED-`: the tokens that servers get; `ATTACK-`: attacks that no other group has;
 * - `ADMIN-`, `LIM-`: what operators change, and the limits that they set; `REL-`: calls that are lost on their way.
 */
export const requirements: typeof specificationRequirements &
  typeof questionRequirements &
  typeof accessRequirements &
  typeof attackRequirements &
  typeof busRequirements &
  typeof n8nRequirements &
  typeof notificationRequirements &
  typeof saasRequirements &
  typeof jsonRpc3Requirements &
  typeof ftlRequirements &
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
  ...questionRequirements,
  ...accessRequirements,
  ...attackRequirements,
  ...busRequirements,
  ...n8nRequirements,
  ...notificationRequirements,
  ...saasRequirements,
  ...jsonRpc3Requirements,
  ...ftlRequirements,
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

/** Tests name requirements by these ids, so that the compiler refuses one that is not in the list. */
export type RequirementId = keyof typeof requirements
