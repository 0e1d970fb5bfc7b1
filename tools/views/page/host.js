import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

// A host of MCP Apps, as small as one can be: the official client and the official bridge, one frame for each view.
const info = { name: 'junctor-views', version: '1.0.0' }
const mimeType = 'text/html;profile=mcp-app'
const capabilities = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [mimeType] } } }

/** Calls a tool, and shows its view. Resolves when the view has the result. */
async function show(client, name) {
  const { tools } = await client.listTools()
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) throw new Error(`Expected ${name} among ${tools.map((each) => each.name).join(', ')}`)
  const uri = tool._meta.ui.resourceUri
  const { contents } = await client.readResource({ uri })
  const html = contents[0].text

  const heading = document.createElement('h2')
  heading.textContent = `${name}: ${uri}`
  const frame = document.createElement('iframe')
  frame.name = name
  frame.sandbox = 'allow-scripts'
  document.body.append(heading, frame)

  const bridge = new AppBridge(client, info, { serverTools: {}, logging: {}, openLinks: {} })
  const initialized = new Promise((resolve) => (bridge.oninitialized = resolve))
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
  frame.srcdoc = html
  await initialized
  await bridge.sendToolInput({ arguments: {} })
  await bridge.sendToolResult(await client.callTool({ name, arguments: {} }))
  return { uri, html }
}

/** Connects to an endpoint of the gateway. `mode` is that of the client: 'legacy', or a revision that it is pinned to. */
globalThis.connectHost = async (endpoint, mode) => {
  const client = new Client(info, { capabilities, versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)))
  globalThis.show = (name) => show(client, name)
}
