/** Server of a provider that speaks HTTP: its calls go through the interferer, which has the bad days of a network. */
import { once } from 'node:events'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { type CallToServe, Interferer } from './interferer.ts'
import type { Provider } from './provider.ts'

export abstract class HttpServer {
  protected readonly interferer = new Interferer()
  private server: Server | undefined

  constructor(private readonly port: number) {}

  /** Reads a request in the words of the provider. */
  protected abstract read(request: IncomingMessage, url: URL, body: string): CallToServe

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy())
    })
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening')
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections()
    await new Promise((closed) => (this.server ? this.server.close(closed) : closed(null)))
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '', 'http://provider')
    if (url.pathname === '/elsewhere') {
      this.interferer.noteFollowed()
      return void response.writeHead(200).end('{}')
    }
    const served = this.read(request, url, Buffer.concat(chunks).toString())
    await this.interferer.serve(served, request, response)
  }

  interfere: Provider['interfere'] = (...fault) => this.interferer.interfere(...fault)
  hold: Provider['hold'] = (...held) => this.interferer.hold(...held)
  count: Provider['count'] = (call) => this.interferer.count(call)
  takeMissed: Provider['takeMissed'] = () => this.interferer.takeMissed()
  followedRedirects: Provider['followedRedirects'] = () => this.interferer.followedRedirects()
}
