/** `npm run docs:states`: writes the generated pages of docs/ and the generated SQL. */
import { writeFileSync } from 'node:fs'
import { configurationPage } from './configuration.ts'
import { dashboard } from './dashboard.ts'
import { dataPage } from './data.ts'
import { flowFunctions } from './flow-functions.ts'
import { eventTypesPage } from './event-types.ts'
import { refusalsPage } from './refusals.ts'
import { statesPage } from './states.ts'

process.env['DATABASE_URL'] ??= 'postgres://unused' // the configuration asks for one; nothing connects
const { allRoutes } = await import('../../sandbox/routes.ts')

writeFileSync('docs/states.md', statesPage())
writeFileSync('docs/data.md', dataPage())
writeFileSync('docs/event-types.md', eventTypesPage())
writeFileSync('db/functions/_flows.sql', flowFunctions())
writeFileSync('docs/configuration.md', configurationPage())
writeFileSync('ops/dashboard.json', dashboard())
writeFileSync('docs/refusals.md', refusalsPage(allRoutes))
process.exit(0) // clients that the routes hold open wait for nothing
