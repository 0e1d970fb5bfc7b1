import type { JsonObject, JsonValue } from '@junctor/jsonrpc'

/** What the document's client uses of a browser. The `EventSource` sends headers, like the document's. */
export interface BrowserEnvironment {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  readonly EventSource: new (url: string, init: { readonly headers: Readonly<Record<string, string>> }) => Listening
  readonly console: Pick<Console, 'log' | 'error'>
}

/** The part of an `EventSource` that the document's client uses. */
export interface Listening {
  addEventListener(name: string, listener: (event: { readonly data: string }) => void): void
  close?(): void
}

/** A response as the document's client returns it. */
export interface Answered extends JsonObject {
  readonly id: number
}

interface Waiting {
  readonly resolve: (data: Answered) => void
  readonly reject: (error: Error) => void
}

/**
 * The client of the API reference of system B, as printed there, with types added. The parts of a browser that it uses
 * are given to its constructor.
 */
export class MCPClient {
  sessionId: string | null = null
  private readonly baseUrl: string
  private readonly accessToken: string
  private readonly protocolVersion: string
  private readonly browser: BrowserEnvironment
  private connection: Listening | null = null
  private readonly pendingRequests = new Map<unknown, Waiting>()
  private requestIdCounter = 0

  constructor(baseUrl: string, accessToken: string, protocolVersion: string, browser: BrowserEnvironment) {
    this.baseUrl = baseUrl
    this.accessToken = accessToken
    this.protocolVersion = protocolVersion
    this.browser = browser
  }

  async initialize(agencyId: string): Promise<JsonObject> {
    const headers: Record<string, string> = {
      Authorization: `Bearer ${this.accessToken}`,
      'Content-Type': 'application/json',
    }

    if (this.protocolVersion === '2025-06-18') {
      headers['MCP-Protocol-Version'] = this.protocolVersion
    }

    const response = await this.browser.fetch(`${this.baseUrl}/mcp/${agencyId}`, {
      method: 'POST',
      headers: headers,
      body: JSON.stringify({
        jsonrpc: '2.0',
        method: 'initialize',
        params: {
          protocolVersion: this.protocolVersion,
          capabilities: {},
          clientInfo: { name: 'JS Client', version: '1.0.0' },
        },
        id: 1,
      }),
    })

    if (!response.ok) {
      if (response.status === 401) {
        const error = (await response.json()) as { error?: { data?: { oauth?: JsonObject } } }
        if (error.error?.data?.oauth) {
          throw new Error('Authentication required - OAuth endpoints: ' + JSON.stringify(error.error.data.oauth))
        }
      }
      throw new Error(`HTTP ${response.status}: ${response.statusText}`)
    }

    this.sessionId = response.headers.get('Mcp-Session-Id')
    return response.json() as Promise<JsonObject>
  }

  connectStreaming(agencyId: string): void {
    const url = `${this.baseUrl}/mcp/${agencyId}?session_id=${this.sessionId}`

    if (this.shouldUseStreamableHTTP()) {
      this.connectStreamableHTTP(url)
    } else {
      this.connectSSE(url)
    }
  }

  shouldUseStreamableHTTP(): boolean {
    return ['2025-03-26', '2025-06-18'].includes(this.protocolVersion)
  }

  connectSSE(url: string): void {
    const headers: Record<string, string> = {
      Authorization: `Bearer ${this.accessToken}`,
    }

    if (this.protocolVersion === '2025-06-18') {
      headers['MCP-Protocol-Version'] = this.protocolVersion
    }

    this.connection = new this.browser.EventSource(url, { headers })

    this.connection.addEventListener('message', (event) => {
      const data = JSON.parse(event.data) as JsonObject
      this.handleMessage(data)
    })

    this.connection.addEventListener('error', (event) => {
      this.browser.console.error('SSE connection error:', event)
    })
  }

  connectStreamableHTTP(url: string): void {
    const headers: Record<string, string> = {
      Authorization: `Bearer ${this.accessToken}`,
    }

    if (this.protocolVersion === '2025-06-18') {
      headers['MCP-Protocol-Version'] = this.protocolVersion
    }

    this.browser
      .fetch(url, { headers })
      .then((response) => {
        const reader = response.body!.getReader()
        return this.processStreamableHTTP(reader)
      })
      .catch((error: unknown) => {
        this.browser.console.error('Streamable HTTP connection error:', error)
      })
  }

  async processStreamableHTTP(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    while (true) {
      const { done, value } = await reader.read()
      if (done) break

      const text = new TextDecoder().decode(value)
      const lines = text.split('\n')

      for (const line of lines) {
        if (line.trim()) {
          try {
            const data = JSON.parse(line) as JsonObject
            this.handleMessage(data)
          } catch {
            // Ignore parse errors for partial chunks
          }
        }
      }
    }
  }

  handleMessage(data: JsonObject): void {
    const params = data['params'] as JsonObject
    if (data['id'] && this.pendingRequests.has(data['id'])) {
      const { resolve } = this.pendingRequests.get(data['id'])!
      this.pendingRequests.delete(data['id'])
      resolve(data as Answered)
    } else if (data['method'] === 'notifications/progress') {
      this.browser.console.log('Progress:', params)
    } else if (data['method'] === 'notifications/connection') {
      this.browser.console.log('Connection status:', params['status'])
    }
  }

  async call(agencyId: string, method: string, params: JsonValue = {}): Promise<Answered> {
    const id = ++this.requestIdCounter

    const promise = new Promise<Answered>((resolve, reject) => {
      this.pendingRequests.set(id, { resolve, reject })

      setTimeout(() => {
        if (this.pendingRequests.has(id)) {
          this.pendingRequests.delete(id)
          reject(new Error('Request timeout'))
        }
      }, 30000).unref()
    })

    const headers: Record<string, string> = {
      Authorization: `Bearer ${this.accessToken}`,
      'Mcp-Session-Id': this.sessionId!,
      'Content-Type': 'application/json',
    }

    if (this.protocolVersion === '2025-06-18') {
      headers['MCP-Protocol-Version'] = this.protocolVersion
    }

    await this.browser.fetch(`${this.baseUrl}/mcp/${agencyId}`, {
      method: 'POST',
      headers: headers,
      body: JSON.stringify({
        jsonrpc: '2.0',
        method,
        params,
        id,
      }),
    })

    return promise
  }

  disconnect(): void {
    if (this.connection) {
      if (this.connection.close) {
        this.connection.close()
      }
      this.connection = null
    }
  }
}
