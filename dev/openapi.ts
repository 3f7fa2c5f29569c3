/** `npm run openapi`: writes openapi.json, the committed copy of the served document. */
import { writeFile } from 'node:fs/promises'

process.env['DATABASE_URL'] ??= 'postgres://unused' // the configuration asks for one; nothing connects
const { openApiDocument } = await import('../api/openapi/document.ts')
const { allRoutes } = await import('../sandbox/routes.ts')

const text = `${JSON.stringify(openApiDocument(allRoutes), null, 2)}\n`
await writeFile(new URL('../openapi.json', import.meta.url), text)
process.exit(0) // clients that the routes hold open would keep the process alive
