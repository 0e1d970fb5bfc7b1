import { expect, it } from 'vitest'
import { authorizationServerUrls, resourceMetadataUrls } from './metadata-urls.ts'

it('looks for the metadata of a resource below its path, then at the root', () => {
  expect(resourceMetadataUrls('https://api.example/v1/mcp?x=1')).toEqual([
    'https://api.example/.well-known/oauth-protected-resource/v1/mcp',
    'https://api.example/.well-known/oauth-protected-resource',
  ])
  expect(resourceMetadataUrls('https://api.example/')).toEqual([
    'https://api.example/.well-known/oauth-protected-resource',
  ])
})

it('looks for the metadata of an authorization server in the order of MCP', () => {
  expect(authorizationServerUrls('https://as.example/tenant1/')).toEqual([
    'https://as.example/.well-known/oauth-authorization-server/tenant1',
    'https://as.example/.well-known/openid-configuration/tenant1',
    'https://as.example/tenant1/.well-known/openid-configuration',
  ])
  expect(authorizationServerUrls('https://as.example')).toEqual([
    'https://as.example/.well-known/oauth-authorization-server',
    'https://as.example/.well-known/openid-configuration',
  ])
})
