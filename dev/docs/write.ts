/** `npm run docs:states`: writes the generated pages of docs/ and the generated SQL. */
import { writeFileSync } from 'node:fs'
import { dataPage } from './data.ts'
import { flowFunctions } from './flow-functions.ts'
import { eventTypesPage } from './event-types.ts'
import { statesPage } from './states.ts'

writeFileSync('docs/states.md', statesPage())
writeFileSync('docs/data.md', dataPage())
writeFileSync('docs/event-types.md', eventTypesPage())
writeFileSync('db/functions/_flows.sql', flowFunctions())
