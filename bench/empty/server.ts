/** Baseline of API reads: a Hono app that answers an empty object, or a given number of bytes. */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const bytes = new Map<string, Uint8Array<ArrayBuffer>>()
const bytesOf = (count: string) => {
  const made = bytes.get(count) ?? new Uint8Array(Number(count))
  bytes.set(count, made)
  return made
}

const app = new Hono()
  .get('/', (http) => http.json({}))
  .get('/:count', (http) => http.body(bytesOf(http.req.param('count'))))
const server = serve({ fetch: app.fetch, port: Number(process.env['EMPTY_PORT']) }, () => {
  process.stdout.write('empty ready\n')
})
process.on('SIGTERM', () => server.close(() => process.exit(0)))
