/** `npm run openapi`: writes openapi.json, the served document; with `--release` also openapi.released.json. */
import { writeFile } from 'node:fs/promises'

process.env['DATABASE_URL'] ??= 'postgres://unused' // the configuration asks for one; nothing connects
const { openApiDocument } = await import('../api/openapi/document.ts')
const { allRoutes } = await import('../sandbox/routes.ts')

const TEXTS: ReadonlySet<string> = new Set(['description', 'summary', 'example', 'x-enumDescriptions'])
/** A member of a schema may have the name of a text. */
const isText = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || !('type' in value || '$ref' in value)

const text = `${JSON.stringify(openApiDocument(allRoutes), null, 2)}\n`
await writeFile(new URL('../openapi.json', import.meta.url), text)
if (process.argv.includes('--release')) {
  const shapes = JSON.stringify(JSON.parse(text), (key, value: unknown) =>
    TEXTS.has(key) && isText(value) ? undefined : value,
  )
  await writeFile(new URL('../openapi.released.json', import.meta.url), `${shapes}\n`)
}
process.exit(0) // clients that the routes hold open would keep the process alive
