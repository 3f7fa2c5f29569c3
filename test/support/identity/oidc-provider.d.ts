declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Client = { backchannelLogout: (subject: string, session: string) => Promise<void> }
  type Grant = { addOIDCScope: (scope: string) => void; save: () => Promise<string> }

  export default class Provider {
    constructor(issuer: string, configuration: object)
    readonly Client: { find: (id: string) => Promise<Client | undefined> }
    readonly Grant: new (of: { accountId: string; clientId: string }) => Grant
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ params: { client_id: string } }>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
