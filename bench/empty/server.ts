/** What the reads of the API are compared with: a Hono app with one route that answers an empty object. */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono().get('/', (http) => http.json({}))
const server = serve({ fetch: app.fetch, port: Number(process.env['EMPTY_PORT']) }, () => {
  process.stdout.write('empty ready\n')
})
process.on('SIGTERM', () => server.close(() => process.exit(0)))
