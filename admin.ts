/** `npm run admin -- organization ban <id>`: what an operator decides, in one line each, with what the API may and no more. */
import { fileURLToPath } from 'node:url'
import { Refusal } from './db/model/errors.ts'
import { type OrganizationId, isUuid } from './db/model/ids.ts'
import { organizationFlow } from './db/model/organization.ts'
import { endEverySession } from './db/sign-outs.ts'
import { type OperatorCommand, moveOrganization } from './db/organization-status.ts'
import { sql } from './db/sql.ts'

const COMMANDS = Object.keys(organizationFlow.events)
const USAGE = `usage: npm run admin -- organization ${COMMANDS.join('|')} <id>
       npm run admin -- person end-sessions <email>`

/** Does what the words say, and returns a line that tells it. Throws a Refusal, or an Error with the usage. */
export async function administer(words: readonly string[]): Promise<string> {
  const [noun, command = '', target = '', ...more] = words
  if (more.length === 0 && noun === 'organization' && isCommand(command) && isUuid(target)) {
    // A checked uuid is what the brand stands for.
    const { status, cancelled, keysRevoked } = await moveOrganization(target.toLowerCase() as OrganizationId, command)
    const stopped = `${cancelled} waiting requests cancelled, ${keysRevoked} API keys revoked`
    return `organization ${target} is ${status}: ${stopped}`
  }
  if (more.length === 0 && noun === 'person' && command === 'end-sessions' && target.includes('@')) {
    return `${target} is signed out everywhere: ${await endEverySession(target)} sessions ended`
  }
  throw new Error(USAGE)
}

const isCommand = (word: string): word is OperatorCommand => COMMANDS.includes(word)

/** One line for whoever typed it: what was refused and why, or what went wrong. */
function explain(error: unknown): string {
  if (!(error instanceof Refusal)) return error instanceof Error ? error.message : String(error)
  return `refused: ${error.type}${error.details ? ` ${JSON.stringify(error.details)}` : ''}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(await administer(process.argv.slice(2)))
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 1
  }
  await sql.end({ timeout: 5 })
}
