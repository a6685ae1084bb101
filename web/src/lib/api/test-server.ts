import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: string
}

/** A real HTTP server for tests. It records the requests that it receives. */
export async function startTestServer(answer: (request: Received) => Answer | Promise<Answer>) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      // The client gave up before the request arrived.
      return
    }
    const { method = '', url = '', headers } = request
    const whole = { method, url, headers, body: Buffer.concat(chunks).toString() }
    received.push(whole)
    const { status = 200, headers: sent = {}, body = '{"data":"done"}' } = await answer(whole)
    response.writeHead(status, { 'Content-Type': 'application/json', ...sent }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
