/** HTTP APIs that an OpenAPI document describes: `OPENAPI-`. */
export const openApiRequirements = {
  'OPENAPI-1': {
    source: 'OpenAPI 3.1, Paths Object, Parameter Object, Request Body Object',
    behaviour:
      'an operation is a tool; its arguments reach the API as path, query, header and body; hints follow the method',
  },
  'OPENAPI-2': {
    source: 'OpenAPI 3.1, Responses Object; MCP 2025-11-25, Structured Content',
    behaviour:
      'JSON is structured content, a list is its member result, and an answer that differs from the document is shown',
  },
  'OPENAPI-3': {
    source: 'RFC 9110, Status Codes',
    behaviour: 'an error of the API is an error of the tool, with its status and body',
  },
  'OPENAPI-4': {
    source: 'OpenAPI 3.1, Security Requirement Object',
    behaviour: 'the API gets the secrets of the configuration; clients see none of them, and no arguments for them',
  },
  'OPENAPI-5': {
    source: 'Junctor',
    behaviour: 'a changed document changes the tools; clients are notified, and their sessions stay',
  },
  'OPENAPI-6': {
    source: 'Junctor',
    behaviour:
      'a mistake in a document costs the operation that has it; a document without use is a problem of its backend alone',
  },
  'OPENAPI-7': {
    source: 'RFC 8259, Numbers; OpenAPI 3.1, Data Types',
    behaviour:
      'a number that JavaScript would change is the same number at the API, in path, query, header and body, and in its answer',
  },
} as const
